import { Anchor, Code, List, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceQuery } from '../../app/workspaceData.ts'
import { FindingItem } from '../../components/FindingItem.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { gateway as words } from '../../texts/en/gateway.ts'
import { found } from '../../texts/found.ts'
import { capital } from '../../texts/texts.ts'
import { useChannels } from '../channels/queries.ts'

export const useGateway = () => useWorkspaceQuery(['gateway'], routes => routes.gateway.get())
export type GatewayState = NonNullable<ReturnType<typeof useGateway>['data']>

type Finding = GatewayState['gateway'][number]

/** Whether something is wrong, in a word. */
export function FindingsSummary({ findings }: { findings: readonly Finding[] }) {
  const problems = findings.filter(({ ok }) => !ok).length
  if (problems === 0) return <StatusBadge tone="good">{words.noProblems}</StatusBadge>
  const isUrgent = findings.some(finding => !finding.ok && !isWarning(finding))
  return <StatusBadge tone={isUrgent ? 'bad' : 'warning'}>{words.problems(problems)}</StatusBadge>
}

/** The overview only warns of them, too. */
const warnings: ReadonlySet<string> = new Set(['backups', 'callbacks', 'clock'])
const isWarning = ({ name }: Finding) => warnings.has(name)

/** What is wrong; what is right is folded. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const [good, bad] = [findings.filter(({ ok }) => ok), findings.filter(({ ok }) => !ok)]
  return (
    <>
      {bad.length > 0 && <FindingList findings={bad} />}
      {good.length > 0 && (
        <details className="folded">
          <summary>{words.inOrder(good.length)}</summary>
          <FindingList findings={good} />
        </details>
      )}
    </>
  )
}

function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <List spacing="xs" size="sm" ps={0} mb="xs">
      {findings.map(({ name, ok, message }) => (
        <FindingItem key={name} isGood={ok} isWarning={warnings.has(name)}>
          <Text span inherit fw={600}>
            {capital(found(name))}
          </Text>
          <div style={{ whiteSpace: 'pre-line' }}>
            <FindingText text={found(message)} />
          </div>
        </FindingItem>
      ))}
    </List>
  )
}

/** Where a page does what a command of `waypost channel` does. */
const places: Readonly<Record<string, readonly [verb: string, place: (channelId: string) => string]>> = {
  connect: [words.cures.connect, () => 'connect'],
  subscribe: [words.cures.subscribe, id => `${id}#callbacks`],
  'set-token': [words.cures.token, id => `${id}#secrets`],
  'set-app-secret': [words.cures.appSecret, id => `${id}#secrets`],
}

/** A command, the id of a channel, a guide, or a setting. */
const told = /(waypost channel [a-z-]+(?: chan_\w+)?|chan_\w+|docs\/\w+\.md(?:#[\w-]+)?|\b[A-Z]+_[A-Z_]+)/

/** What the doctor says, with a link where it names a channel, or a command in whose place there is a page. */
function FindingText({ text }: { text: string }) {
  const { id: workspaceId } = useWorkspace()
  const channels = useChannels().data?.channels ?? []
  const link = (to: string, label: string) => (
    <Anchor component={Link} href={`/w/${workspaceId}/channels/${to}`} inherit underline="always">
      {label}
    </Anchor>
  )
  const shown = (part: string, at: number) => {
    const [, command = '', id = ''] = /^(?:waypost channel ([a-z-]+))? ?(chan_\w+)?$/.exec(part) ?? []
    const cure = places[command]
    if (cure) return link(cure[1](id), cure[0])
    const [, guide] = /^docs\/([\w.#-]+)$/.exec(part) ?? []
    if (guide !== undefined) {
      return (
        <Anchor href={`/docs/${guide.replace('.md', '')}`} target="_blank" inherit underline="always">
          {words.guideOf}
        </Anchor>
      )
    }
    if (/^[A-Z]+_[A-Z_]+$/.test(part)) return <Code>{part}</Code>
    const account = channels.find(channel => channel.id === id)?.accountId
    if (command === '' && account !== undefined) return link(id, words.account(account))
    // A version keeps its small letter.
    return at === 0 && !/^v\d/.test(part) ? capital(part) : part
  }
  return text.split(told).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
    <Fragment key={at}>{shown(part, at)}</Fragment>
  ))
}
