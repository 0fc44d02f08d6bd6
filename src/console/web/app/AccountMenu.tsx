import { Button, Menu, Text } from '@mantine/core'
import { IconBook, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { signOut } from '../api/access.ts'
import { toFailure } from '../api/failure.ts'
import { texts } from '../texts/texts.ts'
import { ColorSchemeChoice } from './ColorSchemeChoice.tsx'
import { accountPath } from './pages.ts'
import { useAccount } from './session.tsx'

/** The user, the colours, the keyboard help, and the way out. */
export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const { user } = useAccount()
  const leave = useMutation({ mutationFn: signOut })
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<IconUserCircle size={20} />}
          aria-label={texts.shell.accountOf(user.name ?? user.email)}
        >
          <Text size="sm" visibleFrom="md" maw={200} truncate>
            {user.name ?? user.email}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="breakable">{user.email}</Menu.Label>
        <Menu.Item component={Link} href={accountPath} leftSection={<IconUserCircle size={16} />}>
          {texts.shell.account}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
          {texts.shell.documentation}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onHelp}>
          {texts.shell.keyboardHelp}
        </Menu.Item>
        <ColorSchemeChoice />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          closeMenuOnClick={false}
          disabled={leave.isPending}
          onClick={() => leave.mutate()}
        >
          {leave.error ? toFailure(leave.error).message : texts.shell.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
