import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { lineNameIn } from '../../../../base/direction.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { CopyButton, CopyId } from '../../components/CopyButton.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { optOuts } from '../../texts/en/optOuts.ts'
import { texts } from '../../texts/texts.ts'
import { useConversation } from '../conversations/queries.ts'
import { addressOf, type ContactDetails, isBlocked, usernameOf } from './queries.ts'

const words = texts.contacts

/**
 * What is known of a person: beside the conversation, and on the page of the contact.
 * @param props.page beside the conversation, what leads to that page: the rest stands there
 */
export function ContactSide({ contact, flows, preferences, page }: ContactDetails & { page?: ReactNode }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <>
      <ContactFacts {...{ workspaceId, contact, page }} />
      <Preferences contact={contact} preferences={preferences} />
      {flows.length > 0 && <ContactFlows workspaceId={workspaceId} flows={flows} />}
    </>
  )
}

function ContactFacts(props: { workspaceId: string; contact: ContactDetails['contact']; page: ReactNode }) {
  const { workspaceId, contact, page } = props
  const { id, phone, userId, blockedOn, createdAt } = contact
  const username = usernameOf(contact)
  const address = phone ?? userId
  const all = address !== null && (
    <Anchor component={Link} size="sm" href={`/w/${workspaceId}/messages?q=${encodeURIComponent(address)}`}>
      {words.allMessages}
    </Anchor>
  )
  return (
    <Section title={words.facts} actions={page}>
      <Facts
        facts={[
          [words.phone, phone && <Copied key="phone" text={phone} what={words.phone} />],
          [words.username, username && <Copied key="username" text={username} what={words.username} />],
          [words.blockedOn, isBlocked(contact) ? <Lines key="blocked" contactId={id} lineIds={blockedOn} /> : null],
          [words.created, <Time key="created" at={createdAt} precision="minute" />],
          [words.id, page ? null : <CopyId key="id" id={id} what={words.id} />],
          [words.userId, userId && <CopyId key="userId" id={userId} what={words.userId} />],
        ]}
      />
      {all}
    </Section>
  )
}

const Copied = ({ text, what }: { text: string; what: string }) => (
  <Group gap={2} wrap="nowrap" component="span" display="inline-flex">
    <bdi>{text}</bdi>
    <CopyButton text={text} what={what} />
  </Group>
)

/** Only who is blocked is asked for: each reader of a conversation reads it anew. */
function Lines({ contactId, lineIds }: { contactId: string; lineIds: readonly string[] }) {
  const lines = useConversation(contactId).data?.pages[0]?.lines
  return lineIds.map(id => lineNameIn(lines, id)).join(', ')
}

function Preferences({ contact, preferences }: Pick<ContactDetails, 'contact' | 'preferences'>) {
  const { can } = useWorkspace()
  const own = preferences.find(({ source }) => source.kind !== 'platform')
  // Who was forgotten is nobody who could opt out.
  const isOffered = can('member') && addressOf(contact) !== null
  return (
    <Section title={words.optOut}>
      <Group justify="space-between" gap="xs">
        {preferences.length === 0 && (
          <Box flex="1 1 8rem">
            <Hint>{words.optOutNone}</Hint>
          </Box>
        )}
        {preferences.map(({ category, value, source: { kind, word, by }, at }) => {
          const named = words.categories[category] ?? category
          const isStopped = value === 'stop'
          return (
            <Group key={`${category} ${kind === 'platform'}`} justify="space-between" w="100%">
              <StatusBadge tone={isStopped ? 'bad' : 'good'}>
                {isStopped ? words.preferenceStop(named) : words.preferenceResume(named)}
              </StatusBadge>
              <Hint>
                {optOuts.sources[kind](word ?? by ?? '')} <Time at={at} precision="minute" />
              </Hint>
            </Group>
          )
        })}
        {isOffered && <Wish contact={contact} isOut={own?.value === 'stop'} />}
      </Group>
    </Section>
  )
}

/** Opts out of marketing in the place of the person, or in. */
function Wish({ contact: { id: contactId }, isOut }: Pick<ContactDetails, 'contact'> & { isOut: boolean }) {
  const { routes, change } = useWorkspaceRoutes()
  const value = isOut ? 'resume' : 'stop'
  const { label, title, question, confirm } = optOuts.acts[value]
  return (
    <ConfirmButton
      label={label}
      button={{ variant: 'default', size: 'xs' }}
      title={title}
      confirmLabel={confirm}
      onConfirm={() => change(routes.contacts({ contactId }).marketing.put({ value }))}
      isHarmless
    >
      <Text size="sm">{question}</Text>
    </ConfirmButton>
  )
}

/** The flows that a contact was sent, and whether it answered. */
function ContactFlows({ workspaceId, flows }: { workspaceId: string; flows: ContactDetails['flows'] }) {
  return (
    <Section title={words.flows}>
      <Stack gap="xs" component="ul" className="plain-list">
        {flows.map(({ messageId, openedAt, closedBy }) => (
          <li key={messageId}>
            <Group justify="space-between">
              <Anchor component={Link} href={`/w/${workspaceId}/messages/${messageId}`} size="sm">
                <Time at={openedAt} />
              </Anchor>
              <StatusBadge tone={closedBy === null ? 'busy' : 'quiet'}>
                {closedBy === null ? words.flowOpen : (words.flowClosed[closedBy] ?? closedBy)}
              </StatusBadge>
            </Group>
          </li>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" mt="xs">
        {words.flowMessage}
      </Text>
    </Section>
  )
}
