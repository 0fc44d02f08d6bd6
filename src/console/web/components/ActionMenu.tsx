import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { asking, ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx'
import { FormDialog } from './FormDialog.tsx'

type Question = Pick<ConfirmDialogProps, 'confirmLabel' | 'onConfirm' | 'typed' | 'isHarmless'> & {
  /** What will happen, and whether it can be undone. */
  readonly text: string
}

/** An action after a question. */
export interface Asking {
  readonly label: string
  readonly title: string
  readonly dialog: Question
}

interface OwnDialog {
  readonly title: string
  readonly dialog: Question | ((close: () => void) => ReactNode)
}

/** An action on a record: after a question, with a form, or with a dialog that outlives the row. */
export type Action = (OwnDialog | { readonly onChoose: () => void }) & {
  readonly label: string
  /** Shown separately, in red. */
  readonly isGrave?: boolean
  /** Those before it are of another kind. */
  readonly isApart?: boolean
}

/** The button at the end of a row, with the actions on its record. @param of the record's name */
export function ActionMenu({ of, actions }: { of: string; actions: readonly Action[] }) {
  // The chosen action stays as it was, even if the record changes, until its dialog has closed.
  const [chosen, setChosen] = useState<OwnDialog | null>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { title = '', dialog } = chosen ?? {}
  const question = typeof dialog === 'object' ? dialog : null
  const form = typeof dialog === 'function' ? dialog : null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={texts.common.actionsFor(of)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(action => {
            const open = () => {
              if ('onChoose' in action) return action.onChoose()
              setChosen(action)
              setOpen(true)
            }
            return (
              // By name: what comes above it meanwhile takes the focus from none.
              <Fragment key={action.label}>
                {(action.isGrave || action.isApart) && <Menu.Divider />}
                <Menu.Item onClick={open} {...(action.isGrave && { color: 'var(--mantine-color-error)' })}>
                  {'dialog' in action && typeof action.dialog === 'object' ? asking(action.label) : action.label}
                </Menu.Item>
              </Fragment>
            )
          })}
        </Menu.Dropdown>
      </Menu>
      <FormDialog opened={isOpen && form !== null} onClose={close} title={title}>
        {form?.(close)}
      </FormDialog>
      <ConfirmDialog
        opened={isOpen && question !== null}
        onClose={close}
        title={title}
        confirmLabel=""
        onConfirm={async () => {}}
        {...question}
      >
        <Text size="sm">{question?.text}</Text>
      </ConfirmDialog>
    </>
  )
}
