import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { ErrorView } from './ErrorView.tsx'

export interface ConfirmDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** Closes the dialog when it succeeds; what fails is shown in it. */
  readonly onConfirm: () => Promise<unknown>
  /** A name that must be typed first, for what cannot be undone. */
  readonly typed?: string
  readonly isHarmless?: boolean
  /** Whether all that it asks for is given. */
  readonly isReady?: boolean
  /** In a stack of dialogs. */
  readonly stackId?: string
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, stackId } = props
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered
      {...(stackId !== undefined && { stackId })}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      {opened && <Question {...props} />}
    </Modal>
  )
}

function Question({
  onClose,
  children,
  confirmLabel,
  onConfirm,
  typed,
  isHarmless,
  isReady = true,
}: ConfirmDialogProps) {
  const [given, setGiven] = useState('')
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  const mayConfirm = isReady && (typed === undefined || given.trim() === typed)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (mayConfirm) confirm.mutate()
      }}
    >
      <Stack>
        {children}
        {typed !== undefined && (
          <TextInput
            label={texts.common.typeToConfirm(typed)}
            value={given}
            onChange={event => setGiven(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {confirm.error && <ErrorView error={confirm.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} {...(typed === undefined && { 'data-autofocus': true })}>
            {texts.common.cancel}
          </Button>
          <Button
            type="submit"
            loading={confirm.isPending}
            disabled={!mayConfirm}
            {...(!isHarmless && { color: 'red' })}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
