import { Button, NativeSelect, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { keyed } from '../../app/keyboard.ts'
import { useWorkspace } from '../../app/session.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { useNewDialog } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { AddContact } from '../contacts/AddContact.tsx'
import { addressBeside, addressOf, contactName, useContacts } from '../contacts/queries.ts'
import { useTemplateLines } from '../templates/queries.ts'
import { writeParameter } from './queries.ts'

const words = texts.conversations

/** Begins a message to anybody. @param props.label where there is little room */
export function NewMessage({ label = words.begin }: { label?: string }) {
  const { can } = useWorkspace()
  const [isOpen, setOpen] = useNewDialog()
  if (!can('member')) return null
  return (
    <>
      <Button
        leftSection={<IconPlus size={16} />}
        aria-label={words.begin}
        {...keyed('c')}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title={words.begin} isGrowing>
        <Recipient />
      </FormDialog>
    </>
  )
}

/** A pause in typing. */
const typingMs = 250
/** To see others, a person types more. */
const shownMax = 6
/** What may be a number: the gateway reads it. */
const numberLike = /^\+?[\d\s().\-/]{6,}$/
const digitsIn = (text: string) => text.replace(/\D/g, '')

/** Chooses who gets it, and from which line; the rest is written in the conversation. */
function Recipient() {
  const { id: workspaceId } = useWorkspace()
  const [, navigate] = useLocation()
  const [written, setWritten] = useState('')
  const [lineId, setLine] = useState('usual')
  const [number, setNumber] = useState<string | null>(null)
  const [q] = useDebouncedValue(written.trim(), typingMs)
  const found = useContacts({ limit: String(shownMax), ...(q !== '' && { q }) })
  const lines = useTemplateLines().data?.phoneNumbers.filter(line => line.active) ?? []
  const write = (contactId: string) =>
    navigate(`/w/${workspaceId}/conversations/${contactId}?${writeParameter}=${lineId}`)
  if (number !== null) {
    return (
      <Stack gap="sm">
        <Hint>{words.newNumberHint}</Hint>
        <AddContact phone={number} submit={words.addAndWrite} onAdded={write} onCancel={() => setNumber(null)} />
      </Stack>
    )
  }
  const isNew = ({ phone }: { phone: string | null }) => digitsIn(phone ?? '') !== digitsIn(written)
  return (
    <Stack gap="sm" onChange={event => event.stopPropagation()}>
      <TextInput
        data-autofocus
        type="search"
        autoComplete="off"
        label={words.recipient}
        placeholder={words.search}
        value={written}
        onChange={event => setWritten(event.currentTarget.value)}
      />
      {lines.length > 1 && (
        <NativeSelect
          label={words.fromLine}
          value={lineId}
          data={[
            { value: 'usual', label: words.usualLine },
            ...lines.map(line => ({ value: line.id, label: lineName(line) })),
          ]}
          onChange={event => setLine(event.currentTarget.value)}
        />
      )}
      <Loaded query={found}>
        {({ contacts }) => {
          const known = contacts.filter(contact => addressOf(contact) !== null)
          const isNumber = numberLike.test(written.trim()) && known.every(isNew)
          return (
            <ul className="plain-list ruled-list" aria-label={texts.contacts.title}>
              {isNumber && <Choice name={words.newNumber(written.trim())} onChoose={() => setNumber(written.trim())} />}
              {known.map(contact => (
                <Choice
                  key={contact.id}
                  name={contactName(contact)}
                  address={addressBeside(contact)}
                  onChoose={() => write(contact.id)}
                />
              ))}
              {known.length === 0 && !isNumber && (
                <li>
                  <Hint>{words.noRecipient}</Hint>
                </li>
              )}
            </ul>
          )
        }}
      </Loaded>
    </Stack>
  )
}

const Choice = (props: { name: string | null; address?: string | null; onChoose: () => void }) => (
  <li>
    <UnstyledButton className="template-pick" onClick={props.onChoose}>
      <Text size="sm" fw={600} className="one-line">
        <bdi>{props.name}</bdi>
      </Text>
      {props.address && (
        <Text size="sm" c="dimmed">
          <bdi>{props.address}</bdi>
        </Text>
      )}
    </UnstyledButton>
  </li>
)
