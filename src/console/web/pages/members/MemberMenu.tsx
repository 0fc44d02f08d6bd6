import { renewSession } from '../../api/access.ts'
import { answerOf } from '../../api/client.ts'
import { useAccount } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { texts } from '../../texts/texts.ts'
import type { ListedMember } from './queries.ts'
import { RoleChoice } from './RoleChoice.tsx'

const words = texts.members

/** The actions on a member. */
export function MemberMenu({ member }: { member: ListedMember }) {
  const { user } = useAccount()
  const { routes, refresh } = useWorkspaceRoutes()
  const { id: userId, email } = member
  async function remove() {
    await answerOf(routes.members({ userId }).delete())
    // A user who has left the workspace no longer sees it.
    if (userId === user.id) await renewSession()
    else await refresh()
  }
  return (
    <ActionMenu
      of={email}
      actions={[
        {
          label: words.changeRole,
          title: words.changeRoleOf(email),
          dialog: close => <RoleForm member={member} onDone={close} />,
        },
        {
          label: words.remove,
          title: words.removeTitle(email),
          isGrave: true,
          dialog: { text: words.removeQuestion, confirmLabel: words.remove, onConfirm: remove },
        },
      ]}
    />
  )
}

function RoleForm({ member: { id: userId, role: now }, onDone }: { member: ListedMember; onDone: () => void }) {
  const { user } = useAccount()
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { role: now },
    async send({ role }) {
      await answerOf(routes.members({ userId }).patch({ role }))
      if (userId === user.id) await renewSession()
      await refresh()
    },
    onSuccess: onDone,
  })
  const { role } = form.fields
  return (
    <Form form={form} submit={texts.common.save} onCancel={onDone} isReady={role !== now}>
      <RoleChoice value={role} onChange={chosen => form.set({ role: chosen })} />
    </Form>
  )
}
