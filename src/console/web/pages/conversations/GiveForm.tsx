import { Anchor, NativeSelect } from '@mantine/core'
import { Link } from 'wouter'
import { isAtLeast } from '../../../../../db/contract/roles.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { texts } from '../../texts/texts.ts'
import { type ListedMember, useMembers } from '../members/queries.ts'

const words = texts.conversations

interface Props {
  readonly contactId: string
  /** Who has the conversation now. */
  readonly takenBy: string | null
  readonly onClose: () => void
}

/** Gives a conversation to another member, who is told. */
export function GiveForm(props: Props) {
  const { user } = useAccount()
  const mayGet = ({ id, role }: ListedMember) => isAtLeast(role, 'member') && id !== props.takenBy && id !== user.id
  return (
    <Loaded query={useMembers()}>
      {({ members }) => {
        const [first, ...others] = members.filter(mayGet)
        return first ? <Choice {...props} members={[first, ...others]} /> : <NobodyElse />
      }}
    </Loaded>
  )
}

const NobodyElse = () => (
  <Hint>
    {words.nobodyElse}{' '}
    <Anchor component={Link} inherit href={`/w/${useWorkspace().id}/members`}>
      {texts.members.title}
    </Anchor>
  </Hint>
)

function Choice({
  contactId,
  takenBy,
  onClose,
  members,
}: Props & { members: readonly [ListedMember, ...ListedMember[]] }) {
  const { routes, change } = useWorkspaceRoutes()
  const { taker } = routes.contacts({ contactId }).conversation
  const form = useForm({
    initial: { userId: members[0].id },
    send: ({ userId }) => change(taker.post({ takenBy: userId, insteadOf: takenBy }), 'conversations'),
    onSuccess: onClose,
  })
  return (
    <Form form={form} submit={words.giveConfirm} onCancel={onClose}>
      <NativeSelect
        {...labelled(words, 'receiver')}
        data={members.map(({ id, name, email }) => ({ value: id, label: name ?? email }))}
        {...form.text('userId')}
      />
    </Form>
  )
}
