import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { MessageStatus } from '../messages/MessageStatus.tsx'
import { statuses } from '../messages/words.ts'
import type { ContactDetails } from './queries.ts'

const words = texts.contacts
type Entry = ContactDetails['history'][number]

/** The messages from and to a contact, newest first. */
export function ContactHistory(props: { workspaceId: string; history: readonly Entry[]; hasMore: boolean }) {
  const { workspaceId, history, hasMore } = props
  return (
    <Section title={words.history}>
      {history.length === 0 && <Hint>{words.historyEmpty}</Hint>}
      <Stack gap="xs" component="ol" className="plain-list">
        {history.map(entry => (
          <li key={entry.id} className={entry.direction === 'in' ? 'said-by-them' : 'said-by-us'}>
            <Said workspaceId={workspaceId} entry={entry} />
          </li>
        ))}
      </Stack>
      {hasMore && (
        <Text size="sm" c="dimmed" mt="sm">
          {words.historyMore}
        </Text>
      )}
    </Section>
  )
}

function Said({
  workspaceId,
  entry: { id, direction, at, kind, text, status },
}: {
  workspaceId: string
  entry: Entry
}) {
  const known = statuses.find(name => name === status)
  return (
    <Box className="said">
      <Group gap="xs" justify="space-between">
        <Hint>
          {direction === 'in' ? words.incoming : words.outgoing} · <Time at={at} />
        </Hint>
        {known && <MessageStatus status={known} />}
      </Group>
      {status === null ? (
        <Text size="sm" className="breakable">
          {text ?? words.notKept}
        </Text>
      ) : (
        <Anchor component={Link} href={`/w/${workspaceId}/messages/${id}`} size="sm" className="breakable">
          {text ?? kindName(kind)}
        </Anchor>
      )}
    </Box>
  )
}

const kindName = (kind: string) =>
  Object.hasOwn(texts.messages.types, kind) ? texts.messages.types[kind as keyof typeof texts.messages.types] : kind
