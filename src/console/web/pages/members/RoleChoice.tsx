import { Radio, Stack } from '@mantine/core'
import { type UserRole, userRoles } from '../../../../../db/contract/roles.ts'
import { useWorkspace } from '../../app/session.tsx'
import { texts } from '../../texts/texts.ts'

/** The roles, each with what it may do. Only an owner makes owners. */
export function RoleChoice({ value, onChange }: { value: UserRole; onChange: (role: UserRole) => void }) {
  const { can } = useWorkspace()
  const offered = userRoles.filter(role => role !== 'owner' || can('owner'))
  return (
    <Radio.Group
      label={texts.members.role}
      value={value}
      onChange={chosen => {
        const role = offered.find(each => each === chosen)
        if (role) onChange(role)
      }}
    >
      <Stack gap="xs" mt="xs">
        {offered.map(role => (
          <Radio key={role} value={role} label={texts.common.roles[role]} description={texts.members.roleHints[role]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
