import { Button, type ButtonProps } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx'

interface Props extends Omit<ConfirmDialogProps, 'opened' | 'onClose'> {
  readonly label: string
  readonly button: ButtonProps & { readonly 'aria-label'?: string }
}

/** A button whose action asks first. */
export function ConfirmButton({ label, button, ...question }: Props) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog {...question} opened={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}
