import { Anchor, AppShell, Burger, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import icon from '../icon.svg'
import { texts } from '../texts/texts.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { KeyboardHelp } from './KeyboardHelp.tsx'
import { listenToKeys } from './keyboard.ts'
import { LiveState } from './LiveState.tsx'

/** The frame around all pages of a signed-in user. @param navigation gets a function that closes it on a phone */
export function Frame(props: { navigation?: (close: () => void) => ReactNode; children: ReactNode }) {
  const { navigation, children } = props
  const [isOpen, menu] = useDisclosure()
  const [isHelpOpen, help] = useDisclosure()
  const { open: openHelp } = help
  useEffect(() => listenToKeys(openHelp), [openHelp])
  return (
    <AppShell
      header={{ height: 56 }}
      padding="md"
      {...(navigation && { navbar: { width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } } })}
    >
      <a href="#content" className="skip-link">
        {texts.shell.skipToContent}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            {navigation && (
              <Burger
                opened={isOpen}
                onClick={menu.toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={isOpen ? texts.shell.closeNavigation : texts.shell.openNavigation}
                aria-expanded={isOpen}
              />
            )}
            <Anchor component={Link} href="/" underline="never" c="inherit" fw={700}>
              <Group gap="xs" wrap="nowrap">
                <img src={icon} alt="" width={26} height={26} />
                {texts.shell.product}
              </Group>
            </Anchor>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LiveState />
            <AccountMenu onHelp={openHelp} />
          </Group>
        </Group>
      </AppShell.Header>
      {navigation && (
        <AppShell.Navbar p="sm" aria-label={texts.shell.navigation}>
          {navigation(menu.close)}
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1} className="quiet-focus">
        <div className="page">{children}</div>
      </AppShell.Main>
      <KeyboardHelp opened={isHelpOpen} onClose={help.close} />
    </AppShell>
  )
}
