import { Button, Group, List, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWorkspaceQuery, useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
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
  const { id: batchId, counts, state } = campaign
  const { routes, change } = useWorkspaceRoutes()
  const [isLater, setLater] = useState(false)
  const { data } = useWorkspaceQuery(['campaigns', 'outlook', batchId], routes =>
    routes.campaigns({ batchId }).outlook.get(),
  )
  const { optedOut = 0 } = data ?? {}
  const [first] = usePeopleSeen(campaign).people
  const waiting = counts.WAITING ?? 0
  const skipped = counts.SKIPPED ?? 0
  const start = (when: { sendAt: string } | { now: true }) =>
    change(routes.campaigns({ batchId }).state.put({ act: 'start', ...when }), 'campaigns')
  const close = () => setLater(false)
  const laterLabel = state === 'scheduled' ? texts.messages.move : words.later
  return (
    <Section title={words.ready}>
      <List size="sm" mb="sm">
        <List.Item>{words.readyCount(waiting - optedOut, whole(waiting - optedOut))}</List.Item>
        {skipped > 0 && <List.Item>{words.readySkipped(whole(skipped))}</List.Item>}
        {optedOut > 0 && <List.Item>{words.readyOptedOut(whole(optedOut))}</List.Item>}
      </List>
      <WarningsOf campaign={campaign} />
      <Group mt="sm" gap="sm" className="start-acts">
        <ConfirmButton
          label={words.startNow}
          button={{ disabled: waiting === 0 }}
          title={words.startNowTitle}
          confirmLabel={words.startNowConfirm}
          onConfirm={() => start({ now: true })}
          isHarmless
        >
          <Text size="sm">
            {words.readyCount(waiting - optedOut, whole(waiting - optedOut))} {words.startNowHint}
          </Text>
          {first && <Bubble person={first} />}
        </ConfirmButton>
        <Button variant="default" disabled={waiting === 0} onClick={() => setLater(true)}>
          {laterLabel}
        </Button>
        {children}
      </Group>
      <FormDialog opened={isLater} onClose={close} title={laterLabel}>
        <Later onChoose={sendAt => start({ sendAt })} onDone={close} />
      </FormDialog>
    </Section>
  )
}
