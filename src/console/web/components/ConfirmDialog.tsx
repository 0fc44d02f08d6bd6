import { Button, type ButtonProps, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { Form, useForm } from './Form.tsx'

export interface ConfirmDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode
  readonly confirmLabel: string
  /** Closes the dialog when it succeeds; a failure is shown in it. */
  readonly onConfirm: () => Promise<unknown>
  /** A name that must be typed first, for what cannot be undone. */
  readonly typed?: string
  readonly isHarmless?: boolean
  /** Whether all required input is there. */
  readonly isReady?: boolean
  /** True in a stack of dialogs. */
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

function Question(props: ConfirmDialogProps) {
  const { onClose, children, confirmLabel, onConfirm, typed, isHarmless, isReady = true } = props
  const form = useForm({ initial: { typed: '' }, send: onConfirm, onSuccess: onClose })
  return (
    <Form
      form={form}
      submit={confirmLabel}
      onCancel={onClose}
      isCancelFirst={typed === undefined}
      isReady={isReady && (typed === undefined || form.fields.typed.trim() === typed)}
      {...(!isHarmless && { color: 'red' })}
    >
      {children}
      {typed !== undefined && (
        <TextInput
          label={texts.common.typeToConfirm(typed)}
          autoComplete="off"
          data-autofocus
          {...form.text('typed')}
        />
      )}
    </Form>
  )
}

interface Props extends Omit<ConfirmDialogProps, 'opened' | 'onClose'> {
  readonly label: string
  readonly button: ButtonProps & { readonly 'aria-label'?: string }
}

/** What asks first says so, by its dots. */
export const asking = (label: string) => label.replace(/…?$/, '…')

/** A button whose action asks first. */
export function ConfirmButton({ label, button, ...question }: Props) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {asking(label)}
      </Button>
      <ConfirmDialog {...question} opened={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}
