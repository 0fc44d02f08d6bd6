import { Radio, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.messages

/** Asks what became of a message of unknown outcome. */
export function SettleDialog(props: { workspaceId: string; messageId: string; opened: boolean; onClose: () => void }) {
  const { workspaceId, messageId, opened, onClose } = props
  const queries = useQueryClient()
  const [as, setAs] = useState<'SENT' | 'FAILED' | null>(null)
  const settle = async () => {
    if (as === null) return
    await answerOf(api.workspaces({ workspaceId }).messages({ messageId }).settle.post({ as }))
    await queries.invalidateQueries({ queryKey: ['workspace', workspaceId, 'messages'] })
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={words.settleTitle}
      confirmLabel={words.settleConfirm}
      onConfirm={settle}
      isReady={as !== null}
      isHarmless
    >
      <Radio.Group label={words.settleAs} value={as} onChange={value => setAs(value === 'SENT' ? 'SENT' : 'FAILED')}>
        <Stack gap="xs" mt="xs">
          <Radio value="SENT" label={words.settleAsSent} />
          <Radio value="FAILED" label={words.settleAsFailed} />
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        {words.settleHint}
      </Text>
    </ConfirmDialog>
  )
}
