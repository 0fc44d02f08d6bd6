import { Anchor, CloseButton, Group, Text, Title } from '@mantine/core'
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
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isAbove) heading.current?.focus()
  }, [isAbove])
  const leave = ({ key }: KeyboardEvent) => {
    if (isAbove && key === 'Escape') toggle()
  }
  return (
    <aside className="contact-panel" aria-label={words.contact} data-above={isAbove || undefined} onKeyDown={leave}>
      <Group justify="space-between" mb="xs" mih={36}>
        <Title order={2} size="h4" ref={heading} tabIndex={-1} className="quiet-focus">
          {words.contact}
        </Title>
        <Group gap="xs">
          <Anchor component={Link} href={`/w/${workspaceId}/contacts/${contactId}`} size="sm">
            {words.openContact}
          </Anchor>
          <CloseButton aria-label={words.hideContact} title={words.hideContact} onClick={toggle} />
        </Group>
      </Group>
      <Loaded query={useContact(contactId)}>
        {details => (
          <>
            <Group gap="sm" mb="sm" wrap="nowrap">
              <Initials id={contactId} name={details.contact.name} size="lg" />
              <Text fw={600} className="breakable">
                <bdi>{contactName(details.contact)}</bdi>
              </Text>
            </Group>
            <ContactSide {...details} />
          </>
        )}
      </Loaded>
    </aside>
  )
}
