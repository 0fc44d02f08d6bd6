import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.messages

/** Asks for the outcome of a message whose outcome is unknown. */
export function SettleDialog(props: { messageId: string; opened: boolean; onClose: () => void }) {
  const { messageId, opened, onClose } = props
  const { routes, change } = useWorkspaceRoutes()
  const [as, setAs] = useState<'SENT' | 'FAILED' | null>(null)
  const settle = async () => {
    if (as !== null) await change(routes.messages({ messageId }).settle.post({ as }), 'messages')
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
      <Hint>{words.settleHint}</Hint>
    </ConfirmDialog>
  )
}
