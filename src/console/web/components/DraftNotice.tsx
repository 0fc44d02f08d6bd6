import { Alert, Button, Group, Text } from '@mantine/core'
import { texts } from '../texts/texts.ts'

/** Says that the fields hold what was written before the page was left, and offers to begin anew. */
export const DraftNotice = ({ onDiscard }: { onDiscard: () => void }) => (
  <Alert color="blue" role="status" p="xs">
    <Group justify="space-between" gap="xs">
      <Text size="sm">{texts.common.restored}</Text>
      <Button size="compact-sm" variant="default" onClick={onDiscard}>
        {texts.common.discardDraft}
      </Button>
    </Group>
  </Alert>
)
