import { Button, Menu, Text, useMantineColorScheme } from '@mantine/core'
import {
  IconBook,
  IconDeviceDesktop,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { signOut } from '../api/access.ts'
import { toFailure } from '../api/failure.ts'
import { texts } from '../texts/texts.ts'
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
          px={4}
          mr={{ base: -4, md: 0 }}
          aria-label={texts.shell.accountOf(user.name ?? user.email)}
        >
          <IconUserCircle size={24} stroke={1.6} />
          <Text size="sm" visibleFrom="md" maw={200} mx={8} truncate>
            <bdi>{user.name ?? user.email}</bdi>
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="breakable">{user.email}</Menu.Label>
        <Menu.Item component={Link} href={accountPath} leftSection={<IconUserCircle size={16} />}>
          {texts.shell.account}
        </Menu.Item>
        <Menu.Item component="a" href="/docs/guides" target="_blank" leftSection={<IconHelp size={16} />}>
          {texts.shell.guides}
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

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const

/** Light, dark, or as the system has it; items of a menu. Kept in the browser. */
function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{texts.shell.colorScheme}</Menu.Label>
      {schemes.map(([scheme, SchemeIcon]) => (
        <Menu.Item
          key={scheme}
          // The library sets a role of its own, with which a screen reader says nothing of what is chosen.
          renderRoot={props => (
            <button type="button" {...props} role="menuitemradio" aria-checked={colorScheme === scheme} />
          )}
          leftSection={<SchemeIcon size={16} />}
          fw={colorScheme === scheme ? 600 : undefined}
          closeMenuOnClick={false}
          onClick={() => setColorScheme(scheme)}
        >
          {texts.shell.colorSchemes[scheme]}
        </Menu.Item>
      ))}
    </>
  )
}
