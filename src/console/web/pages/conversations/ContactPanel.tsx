import { Anchor, CloseButton, Group, Title } from '@mantine/core'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { texts } from '../../texts/texts.ts'
import { ContactSide } from '../contacts/ContactSide.tsx'
import { useContact } from '../contacts/queries.ts'

const words = texts.conversations

/** Who the thread is with, beside it. */
export function ContactPanel({ contactId, onClose }: { contactId: string; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <aside className="contact-panel" aria-label={words.contact}>
      <Group justify="space-between" mb="xs" mih={36}>
        <Title order={2} size="h4">
          {words.contact}
        </Title>
        <Group gap="xs">
          <Anchor component={Link} href={`/w/${workspaceId}/contacts/${contactId}`} size="sm">
            {words.openContact}
          </Anchor>
          <CloseButton aria-label={words.hideContact} title={words.hideContact} onClick={onClose} />
        </Group>
      </Group>
      <Loaded query={useContact(contactId)}>{details => <ContactSide {...details} />}</Loaded>
    </aside>
  )
}
