import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

/** A dialog with a form. Its content is made anew each time that it opens, so that no secret stays in it. */
export function FormDialog(props: { opened: boolean; onClose: () => void; title: string; children: ReactNode }) {
  const { opened, onClose, title, children } = props
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      {opened && children}
    </Modal>
  )
}
