import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { UserRole } from '../../../../../db/contract/roles.ts'
import type { api } from '../../api/client.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { whole } from '../../components/numbers.ts'
import { localTime } from '../../components/times.ts'
import { audit as words } from '../../texts/en/audit.ts'
import { texts } from '../../texts/texts.ts'
import { recipientText } from '../messages/queries.ts'
import { templatePath, useTemplateLines } from '../templates/queries.ts'

const { sentences, subjects, onlyThis } = words

type Audit = Awaited<ReturnType<ReturnType<typeof api.workspaces>['audit']['get']>>
export type AuditEntry = NonNullable<Audit['data']>['entries'][number]
type Noun = keyof typeof subjects

/** What was done, in words, with the old and new values. */
export function Sentence({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <Words entry={entry} />
      {entry.changes.filter(isNews(entry)).map(({ field, from, to }) => (
        <Text key={field} size="xs" c="dimmed" className="breakable">
          {words.change(words.fields[field] ?? field, shown(field, from), shown(field, to))}
        </Text>
      ))}
    </>
  )
}

/** What names the subject, as the sentence does, is told once. */
const isNews =
  ({ action }: AuditEntry) =>
  ({ field }: AuditEntry['changes'][number]) =>
    field !== 'email' && action !== 'webhook.remove'

type Value = AuditEntry['changes'][number]['from']

function shown(field: string, value: Value): string {
  if (value === null || value === '') return words.unset[field] ?? words.empty
  if (field === 'role') return texts.common.roles[value as UserRole] ?? String(value)
  if (typeof value === 'number') return field.endsWith('At') ? localTime(new Date(value)) : whole(value)
  return value
}

/** An action of a version that is not known here is shown as it is. */
function Words({ entry }: { entry: AuditEntry }) {
  const { action, name } = entry
  const sentence: string = sentences[action as keyof typeof sentences] ?? action
  const [, before = sentence, noun, after = ''] = /^(.*)\{(\w+)\}(.*)$/.exec(sentence) ?? []
  if (noun === undefined) return <Plain>{sentence}</Plain>
  const { known, gone } = subjects[noun as Noun]
  return (
    <Plain>
      {before}
      {name === null ? (
        <Text span inherit c="dimmed">
          {gone}
        </Text>
      ) : (
        <>
          {known} <Name {...{ entry, noun: noun as Noun }} name={noun === 'message' ? recipientText(name) : name} />
        </>
      )}
      {after}
    </Plain>
  )
}

/** Below the line of who did it, where a list is grey. */
const Plain = ({ children }: { children: ReactNode }) => (
  <Text span inherit c="var(--mantine-color-text)" className="breakable">
    {children}
  </Text>
)

/** Leads to where it is shown. */
function Name({ noun, entry, name }: { noun: Noun; entry: AuditEntry; name: string }) {
  const path = usePath(noun, entry)
  return path === null ? (
    <Text span inherit fw={500}>
      <bdi>{name}</bdi>
    </Text>
  ) : (
    <Anchor component={Link} href={path} inherit underline="always">
      <bdi>{name}</bdi>
    </Anchor>
  )
}

/** Where a subject is shown, below the workspace. Of people there is no more to see than their names. */
const places: Readonly<Record<Exclude<Noun, 'template' | 'user' | 'invitation'>, (id: string) => string>> = {
  key: () => 'api-keys',
  channel: id => `channels/${id}`,
  line: () => 'channels',
  webhook: id => `webhooks/${id}`,
  campaign: id => `campaigns/${id}`,
  contact: id => `contacts/${id}`,
  message: id => `messages/${id}`,
}

/** Null: it has no page, or no more. */
function usePath(noun: Noun, { isThere, subject: id }: AuditEntry): string | null {
  const { id: workspaceId } = useWorkspace()
  // The address of a template names a line; any leads to it.
  const line = useTemplateLines().data?.phoneNumbers[0]
  if (!isThere || noun === 'user' || noun === 'invitation') return null
  if (noun !== 'template') return `/w/${workspaceId}/${places[noun](id)}`
  return line ? templatePath(workspaceId, line.id, id) : null
}

/** The id of what was changed, and all that was done to it. */
export const AuditSubject = ({ entry: { subject }, onChoose }: { entry: AuditEntry; onChoose: () => void }) => (
  <Group gap="lg" wrap="nowrap" justify="flex-end" className="on-hover">
    <CopyButton text={subject} what={subject} />
    <Tooltip label={onlyThis}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`${onlyThis}: ${subject}`} onClick={onChoose}>
        <IconFilter size={14} />
      </ActionIcon>
    </Tooltip>
  </Group>
)
