import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { save } from '../../api/save.ts'
import { ErrorView } from '../../components/ErrorView.tsx'
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
  entry: { id, direction, at, kind, text, status, media },
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
      {media && <SentFile workspaceId={workspaceId} media={media} />}
    </Box>
  )
}

/** A file of the person, which may be dangerous: it is saved, never shown. */
function SentFile({ workspaceId, media }: { workspaceId: string; media: NonNullable<Entry['media']> }) {
  const { id, state, saveAs } = media
  const saving = useMutation({
    mutationFn: () => save(`/api/v1/workspaces/${workspaceId}/media/${id}`, saveAs),
  })
  if (state !== 'stored') return <Hint>{words.media[state]}</Hint>
  return (
    <>
      <Button size="compact-xs" variant="light" onClick={() => saving.mutate()} loading={saving.isPending}>
        {words.saveMedia}
      </Button>
      {saving.error && <ErrorView error={saving.error} />}
    </>
  )
}

const kindName = (kind: string) =>
  Object.hasOwn(texts.messages.types, kind) ? texts.messages.types[kind as keyof typeof texts.messages.types] : kind
