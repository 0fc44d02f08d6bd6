import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { lineNameIn } from '../../../../base/direction.ts'
import { nameLengthMax } from '../../../../base/names.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { optOuts } from '../../texts/en/optOuts.ts'
import { texts } from '../../texts/texts.ts'
import { ConversationView } from '../conversations/Conversation.tsx'
import { type ConversationPage, useConversation } from '../conversations/queries.ts'
import { AskingButton, useBlocking } from './Blocking.tsx'
import {
  addressBeside,
  addressOf,
  type ContactDetails,
  contactName,
  isBlocked,
  useContact,
  usernameOf,
} from './queries.ts'

const words = texts.contacts

/** One person: the conversation, the preferences, and erasing the contact. */
export function ContactPage() {
  const { id: workspaceId, can } = useWorkspace()
  const { contactId = '' } = useParams()
  const details = useContact(contactId)
  const back = { to: `/w/${workspaceId}/contacts`, label: words.title }
  const isKnown = ({ phone, userId }: ContactDetails['contact']) => phone !== null || userId !== null
  return (
    <Loaded query={details} heading={<PageHeader title={words.one} back={back} />} waiting={null}>
      {({ contact, flows, preferences }) => (
        <>
          <PageHeader
            title={contactName(contact)}
            description={addressBeside(contact) ?? undefined}
            back={back}
            actions={
              isKnown(contact) && (
                <>
                  <Button component={Link} href={`/w/${workspaceId}/conversations/${contact.id}`} variant="default">
                    {words.openConversation}
                  </Button>
                  {can('member') && <Rename contact={contact} />}
                </>
              )
            }
          />
          <div className="wide-start">
            <div>
              <Section title={words.history}>
                <ConversationView contactId={contact.id} />
              </Section>
            </div>
            <div>
              <Stack>
                <ContactFacts workspaceId={workspaceId} contact={contact} />
                <Preferences contact={contact} preferences={preferences} />
                {flows.length > 0 && <ContactFlows workspaceId={workspaceId} flows={flows} />}
                <Group>
                  <Blocking contactId={contact.id} />
                  {can('admin') && isKnown(contact) && <Forget contactId={contact.id} />}
                </Group>
              </Stack>
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}

function ContactFacts({ workspaceId, contact }: { workspaceId: string; contact: ContactDetails['contact'] }) {
  const { id, phone, userId, blockedOn, createdAt, updatedAt } = contact
  const lines = useConversation(id).data?.pages[0]?.lines
  const username = usernameOf(contact)
  const address = phone ?? userId
  const all = address !== null && (
    <Anchor component={Link} size="sm" href={`/w/${workspaceId}/messages?q=${encodeURIComponent(address)}`}>
      {words.allMessages}
    </Anchor>
  )
  return (
    <Section title={words.facts} actions={all}>
      <Facts
        facts={[
          [words.id, <CopyId key="id" id={id} what={words.id} />],
          [words.phone, phone && <CopyId key="phone" id={phone} what={words.phone} />],
          [words.username, username && <CopyId key="username" id={username} what={words.username} />],
          [words.userId, userId && <CopyId key="user" id={userId} what={words.userId} />],
          [words.blockedOn, isBlocked(contact) ? blockedOn.map(id => lineNameIn(lines, id)).join(', ') : null],
          [words.created, <Time key="created" at={createdAt} />],
          [words.updated, <Time key="updated" at={updatedAt} />],
        ]}
      />
    </Section>
  )
}

function Preferences({ contact, preferences }: Pick<ContactDetails, 'contact' | 'preferences'>) {
  const { can } = useWorkspace()
  const own = preferences.find(({ source }) => source.kind !== 'platform')
  // Who was forgotten is nobody who could opt out.
  const isOffered = can('member') && addressOf(contact) !== null
  return (
    <Section title={words.optOut} actions={isOffered && <Wish contact={contact} isOut={own?.value === 'stop'} />}>
      {preferences.length === 0 && <Hint>{words.optOutNone}</Hint>}
      <Stack gap="xs">
        {preferences.map(({ category, value, source: { kind, word, by }, at }) => {
          const named = words.categories[category] ?? category
          const isStopped = value === 'stop'
          return (
            <Group key={`${category} ${kind === 'platform'}`} justify="space-between">
              <StatusBadge tone={isStopped ? 'bad' : 'good'}>
                {isStopped ? words.preferenceStop(named) : words.preferenceResume(named)}
              </StatusBadge>
              <Hint>
                {optOuts.sources[kind](word ?? by ?? '')} <Time at={at} />
              </Hint>
            </Group>
          )
        })}
      </Stack>
    </Section>
  )
}

function Blocking({ contactId }: { contactId: string }) {
  const [page] = useConversation(contactId).data?.pages ?? []
  return page ? <BlockButtons page={page} /> : null
}

function BlockButtons({ page }: { page: ConversationPage }) {
  const { block, unblock } = useBlocking(page)
  return [unblock, block].map(asking => asking && <AskingButton key={asking.label} asking={asking} />)
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

function Rename({ contact: { id: contactId, name } }: { contact: ContactDetails['contact'] }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.rename}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title={words.rename}>
        <RenameForm contactId={contactId} name={name} onDone={close} />
      </FormDialog>
    </>
  )
}

function RenameForm({ contactId, name, onDone }: { contactId: string; name: string | null; onDone: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial: { name: name ?? '' },
    send: ({ name }) => change(routes.contacts({ contactId }).name.post({ name: name.trim() || null })),
    onSuccess: onDone,
  })
  return (
    <Form form={form} submit={texts.common.save} onCancel={onDone}>
      <TextInput
        label={words.columns.name}
        description={words.renameHint}
        autoComplete="off"
        maxLength={nameLengthMax}
        dir="auto"
        data-autofocus
        {...form.text('name')}
      />
    </Form>
  )
}

function Forget({ contactId }: { contactId: string }) {
  const { routes, change } = useWorkspaceRoutes()
  return (
    <ConfirmButton
      label={words.forget}
      button={{ variant: 'default', c: 'red' }}
      title={words.forgetTitle}
      confirmLabel={words.forgetConfirm}
      onConfirm={() => change(routes.contacts({ contactId }).forget.post())}
      typed={words.forgetWord}
    >
      <Text size="sm">{words.forgetHint}</Text>
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
