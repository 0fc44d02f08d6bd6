import { Button, Group, List, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { dayAndClock } from '../../components/times.ts'
import { Warning } from '../../components/Warning.tsx'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'
import { Later } from '../messages/Scheduled.tsx'
import type { Campaign } from './queries.ts'
import { Bubble, usePeopleSeen } from './Seen.tsx'

/** What will hold up those that wait. */
export function WarningsOf({ campaign: { warnings, counts } }: { campaign: Campaign }) {
  if (warnings.length === 0) return null
  return (
    <Warning title={words.warnings}>
      {warnings.map(({ code }) => (
        <Text key={code} size="sm">
          {words[code](whole(counts.WAITING ?? 0))}
        </Text>
      ))}
    </Warning>
  )
}

/**
 * The last step of a draft: who gets it, who is left out, and when. What waits for its time may get another one.
 * @param props.children what else can be done, last
 */
export function Start({ campaign, children }: { campaign: Campaign; children: ReactNode }) {
  const { id: batchId, counts, state, total, sendAt } = campaign
  const { routes, change } = useWorkspaceRoutes()
  const [isLater, setLater] = useState(false)
  const outlook = useWorkspaceQuery(['campaigns', 'outlook', batchId], routes =>
    routes.campaigns({ batchId }).outlook.get(),
  )
  const [first] = usePeopleSeen(campaign).people
  const out = (counts.SKIPPED ?? 0) + (counts.CANCELLED ?? 0)
  // None before that is known.
  const reached = outlook.data ? (counts.WAITING ?? 0) - outlook.data.optedOut : 0
  const reach = reached > 0 ? words.reach(whole(reached), whole(total)) : words.reachesNobody
  const start = (when: { sendAt: string } | { now: true }) =>
    change(routes.campaigns({ batchId }).state.put({ act: 'start', ...when }), 'campaigns')
  const close = () => setLater(false)
  const isPlanned = state === 'scheduled'
  const laterLabel = isPlanned ? texts.messages.move : words.later
  const disabled = reached <= 0
  const acts = [
    <ConfirmButton
      key="now"
      label={words.startNow}
      button={{ disabled, ...(isPlanned && { variant: 'default' }) }}
      title={words.startNowTitle}
      confirmLabel={words.startNowConfirm}
      onConfirm={() => start({ now: true })}
      isHarmless
    >
      <Text size="sm">
        {reach} {words.startNowHint}
      </Text>
      {first && <Bubble person={first} />}
    </ConfirmButton>,
    <Button key="later" variant="default" disabled={disabled} onClick={() => setLater(true)}>
      {laterLabel}
    </Button>,
  ]
  return (
    <Section
      title={isPlanned && sendAt ? `${words.starts}: ${dayAndClock(new Date(sendAt), new Date())}` : words.ready}
    >
      <Loaded query={outlook} waiting={<Placeholder h={22} />}>
        {({ optedOut }) => (
          <List size="sm">
            <List.Item>{reach}</List.Item>
            {out > 0 && <List.Item>{words.outAlready(whole(out))}</List.Item>}
            {optedOut > 0 && <List.Item>{words.outOptedOut(whole(optedOut))}</List.Item>}
          </List>
        )}
      </Loaded>
      <WarningsOf campaign={campaign} />
      <Group mt="sm" gap="sm" className="start-acts">
        {/* Of one that has its time, nothing is to be done: a change of it comes first. */}
        {isPlanned ? acts.toReversed() : acts}
        {children}
      </Group>
      <FormDialog opened={isLater} onClose={close} title={laterLabel}>
        <Later onChoose={sendAt => start({ sendAt })} onDone={close} />
      </FormDialog>
    </Section>
  )
}
