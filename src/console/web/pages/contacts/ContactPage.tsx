import { ActionIcon, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { nameLengthMax } from '../../../../base/names.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Initials } from '../../components/Initials.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { texts } from '../../texts/texts.ts'
import { ConversationView } from '../conversations/Conversation.tsx'
import { useConversation } from '../conversations/queries.ts'
import { AskingButton, useBlocking } from './Blocking.tsx'
import { ContactSide } from './ContactSide.tsx'
import { type ContactDetails, contactName, useContact } from './queries.ts'

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
      {({ contact, ...known }) => (
        <>
          <PageHeader
            title={contactName(contact)}
            sign={<Initials id={contact.id} name={contact.name} />}
            back={back}
            beside={isKnown(contact) && can('member') && <Rename contact={contact} />}
            actions={
              isKnown(contact) && (
                <Button component={Link} href={`/w/${workspaceId}/conversations/${contact.id}`}>
                  {words.openConversation}
                </Button>
              )
            }
          />
          <div className="wide-end contact-page">
            <Stack>
              <ContactSide contact={contact} {...known} />
            </Stack>
            <Stack>
              <Section title={words.history}>
                <ConversationView contactId={contact.id} />
              </Section>
            </Stack>
            {/* Below the side; where all stand below each other, at the end. */}
            {isKnown(contact) && (
              <Stack>
                <End contact={contact} />
              </Stack>
            )}
          </div>
        </>
      )}
    </Loaded>
  )
}

/** One is as wide as the other. */
const act = { size: 'xs', miw: '7rem' }

/** What is hard to take back stands at the end, each with what it does. */
function End({ contact }: Pick<ContactDetails, 'contact'>) {
  const { can } = useWorkspace()
  const [page] = useConversation(contact.id).data?.pages ?? []
  const { block, unblock, isTooLate } = useBlocking(page ?? { contact, phoneNumberId: null, lines: [] })
  const acts = [
    unblock && ([words.unblockHint, <AskingButton key="unblock" asking={unblock} button={act} />] as const),
    block && ([words.blockSays, <AskingButton key="block" asking={block} button={act} />] as const),
    isTooLate && ([words.blockTooLate, null] as const),
    can('admin') && ([words.forgetSays, <Forget key="forget" contactId={contact.id} />] as const),
  ].filter(act => !!act)
  if (acts.length === 0) return null
  return (
    <Section title={words.end}>
      <Stack gap="sm">
        {acts.map(([says, button]) => (
          <Group key={says} justify="space-between" wrap="nowrap">
            <Text size="sm">{says}</Text>
            <Box flex="none">{button}</Box>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

function Rename({ contact: { id: contactId, name } }: { contact: ContactDetails['contact'] }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <ActionIcon
        {...{ variant: 'subtle', color: 'gray', 'aria-label': words.rename, title: words.rename }}
        onClick={() => setOpen(true)}
      >
        <IconPencil size={18} />
      </ActionIcon>
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
      button={{ variant: 'default', c: 'red', ...act }}
      title={words.forgetTitle}
      confirmLabel={words.forgetConfirm}
      onConfirm={() => change(routes.contacts({ contactId }).forget.post())}
      typed={words.forgetWord}
    >
      <Text size="sm">{words.forgetHint}</Text>
    </ConfirmButton>
  )
}
