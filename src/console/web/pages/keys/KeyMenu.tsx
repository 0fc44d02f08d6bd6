import { useLocation } from 'wouter'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { texts } from '../../texts/texts.ts'
import { LimitForm } from './KeyForms.tsx'
import { type ApiKey, nameOf } from './queries.ts'

const words = texts.apiKeys

/**
 * What can be done with a key that works.
 * @param onRotate its dialog is not part of the row: it shows the successor's secret, and the row may go with the old
 *   key
 */
export function KeyMenu({ apiKey: key, onRotate }: { apiKey: ApiKey; onRotate: (key: ApiKey) => void }) {
  const { workspaceId, routes, change } = useWorkspaceRoutes()
  const [, navigate] = useLocation()
  const { apiKey: keyId } = key
  const name = nameOf(key)
  return (
    <ActionMenu
      of={name}
      actions={[
        { label: texts.requests.title, onChoose: () => navigate(`/w/${workspaceId}/requests?keyId=${keyId}`) },
        { label: words.rotate, onChoose: () => onRotate(key) },
        {
          label: words.limits,
          title: `${words.limits}: ${name}`,
          dialog: close => <LimitForm apiKey={key} onDone={close} />,
        },
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
