import { Anchor, CloseButton, Group, Text } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { Initials } from '../../components/Initials.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { texts } from '../../texts/texts.ts'
import { ContactSide } from '../contacts/ContactSide.tsx'
import { contactName, useContact } from '../contacts/queries.ts'
import type { Panel } from './Sorting.tsx'

const words = texts.conversations

/** Who the thread is with, beside it; where there is no room, above it, until Escape. */
export function ContactPanel({ contactId, panel }: { contactId: string; panel: Panel }) {
  const { id: workspaceId } = useWorkspace()
  const { isAbove, toggle } = panel
  const name = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isAbove) name.current?.focus()
  }, [isAbove])
  const details = useContact(contactId)
  const contact = details.data?.contact
  const leave = ({ key }: KeyboardEvent) => {
    if (isAbove && key === 'Escape') toggle()
  }
  return (
    <aside className="contact-panel" aria-label={words.contact} data-above={isAbove || undefined} onKeyDown={leave}>
      <Group gap="xs" wrap="nowrap" className="contact-panel-head">
        {isAbove && contact && <Initials id={contactId} name={contact.name} />}
        {/* No heading: that of the thread has the same words. Beside it, the name would stand twice in one line. */}
        <Text fw={700} c="bright" flex={1} ref={name} tabIndex={-1} className="quiet-focus one-line">
          <bdi>{isAbove && contact ? contactName(contact) : words.contact}</bdi>
        </Text>
        <CloseButton aria-label={words.hideContact} title={words.hideContact} onClick={toggle} />
      </Group>
      <Loaded query={details}>
        {known => (
          <ContactSide
            {...known}
            page={
              <Anchor component={Link} href={`/w/${workspaceId}/contacts/${contactId}`} size="sm">
                {words.openContact}
              </Anchor>
            }
          />
        )}
      </Loaded>
    </aside>
  )
}
