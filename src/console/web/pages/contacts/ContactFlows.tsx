import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import type { ContactDetails } from './queries.ts'

const words = texts.contacts

/** The flows sent to a contact, and whether it answered. */
export function ContactFlows({ workspaceId, flows }: { workspaceId: string; flows: ContactDetails['flows'] }) {
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
