import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { texts } from '../../texts/texts.ts'
import { LimitForm } from './LimitForm.tsx'
import type { ApiKey } from './queries.ts'
import { RotateForm } from './RotateForm.tsx'

const words = texts.apiKeys

/** What can be done with a key that works. */
export function KeyMenu({ apiKey: key }: { apiKey: ApiKey }) {
  const { routes, change } = useWorkspaceRoutes()
  const { apiKey: keyId, label } = key
  const name = label ?? keyId
  return (
    <ActionMenu
      of={name}
      actions={[
        {
          label: words.rotate,
          title: words.rotateTitle(name),
          dialog: close => <RotateForm keyId={keyId} onDone={close} />,
        },
        { label: words.limits, title: words.limits, dialog: close => <LimitForm apiKey={key} onDone={close} /> },
        {
          label: words.revoke,
          title: words.revokeTitle(name),
          isGrave: true,
          dialog: {
            text: words.revokeQuestion,
            confirmLabel: words.revoke,
            onConfirm: () => change(routes['api-keys']({ keyId }).revoke.post()),
          },
        },
      ]}
    />
  )
}
