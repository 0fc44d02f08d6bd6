import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { GraceForm } from '../../components/GraceForm.tsx'
import { texts } from '../../texts/texts.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeySecret } from './KeySecret.tsx'
import { keyName, type ListedKey } from './queries.ts'

const words = texts.apiKeys

/** The actions on a key that works. @param props.onRotate {@link RotateDialog} is to be opened */
export function KeyMenu({ apiKey: key, onRotate }: { apiKey: ListedKey; onRotate: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const name = keyName(key)
  return (
    <ActionMenu
      of={name}
      actions={[
        { label: words.rotate, onChoose: onRotate },
        {
          label: words.limits,
          title: `${words.limits}: ${name}`,
          dialog: close => <KeyForm apiKey={key} onDone={close} />,
        },
        {
          label: words.revoke,
          title: words.revokeTitle(name),
          isGrave: true,
          dialog: {
            text: words.revokeQuestion,
            confirmLabel: words.revoke,
            onConfirm: () => change(routes['api-keys']({ keyId: key.apiKey }).revoke.post()),
          },
        },
      ]}
    />
  )
}

/**
 * Makes the successor of a key, and shows its secret. It stands outside of the key's row, which may go with the old
 * key.
 * @param props.apiKey null: it is closed
 */
export function RotateDialog({ apiKey: key, onDone }: { apiKey: ListedKey | null; onDone: () => void }) {
  const { routes } = useWorkspaceRoutes()
  return (
    <FormDialog opened={key !== null} onClose={onDone} title={key === null ? '' : words.rotateTitle(keyName(key))}>
      {key !== null && (
        <GraceForm
          words={words}
          rotate={body => answerOf(routes['api-keys']({ keyId: key.apiKey }).rotate.post(body))}
          shown={({ key: successor }) => <KeySecret {...successor} onDone={onDone} />}
          onDone={onDone}
        />
      )}
    </FormDialog>
  )
}
