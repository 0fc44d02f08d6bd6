import { type MantineSize, Modal, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { DialogLoss } from './losses.ts'

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  /** Of a form that has something beside it. */
  readonly size?: MantineSize
  /** Its content changes in height: its head stays where it is, and on a telephone it has the screen. */
  readonly isGrowing?: boolean
  readonly children: ReactNode
}

/**
 * A dialog with a form. Its content is rendered from scratch each time it opens, so that no secret stays in it. Escape,
 * the close button and a click outside ask first if something was typed or is shown only once.
 */
export function FormDialog({ opened, onClose, title, size = 'md', isGrowing = false, children }: Props) {
  const [isWritten, setWritten] = useState(false)
  const [isShownOnce, setShownOnce] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isSmall = useMediaQuery('(max-width: 48em)')
  if (!opened && isWritten) setWritten(false)
  return (
    <Modal.Stack>
      <Modal
        stackId="form"
        opened={opened}
        onClose={() => (isWritten || isShownOnce ? setAsking(true) : onClose())}
        title={title}
        size={size}
        centered={!isGrowing}
        fullScreen={isGrowing && isSmall === true}
        closeButtonProps={{ 'aria-label': texts.common.close }}
      >
        {opened && (
          <DialogLoss value={setShownOnce}>
            <div onChange={() => setWritten(true)}>{children}</div>
          </DialogLoss>
        )}
      </Modal>
      <ConfirmDialog
        stackId="question"
        opened={opened && isAsking}
        onClose={() => setAsking(false)}
        title={texts.common.loseTitle}
        confirmLabel={texts.common.loseConfirm}
        onConfirm={async () => onClose()}
      >
        <Text size="sm">{isShownOnce ? texts.common.loseShownOnce : texts.common.loseWritten}</Text>
      </ConfirmDialog>
    </Modal.Stack>
  )
}
