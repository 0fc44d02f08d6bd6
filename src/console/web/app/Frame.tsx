import { Anchor, AppShell, Box, Burger, Button, Group, Modal, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { useLive } from '../api/live.tsx'
import { Hint } from '../components/Hint.tsx'
import { asKey, type KeyRow, KeyRows } from '../components/KeyRows.tsx'
import icon from '../icon.svg'
import { usePalette } from '../palette/usePalette.tsx'
import { texts } from '../texts/texts.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { listenToKeys, paletteKey } from './keyboard.ts'

/** The frame around all pages of a signed-in user. @param navigation gets a function that closes it on a phone */
export function Frame(props: { navigation?: (close: () => void) => ReactNode; children: ReactNode }) {
  const { navigation, children } = props
  const [isOpen, menu] = useDisclosure()
  const [isHelpOpen, help] = useDisclosure()
  const { open: openHelp } = help
  const [palette, openPalette] = usePalette()
  useEffect(() => listenToKeys(openHelp, openPalette), [openHelp, openPalette])
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
            <Button variant="default" px={{ base: 8, sm: 'sm' }} miw={40} fw={400} onClick={openPalette}>
              <IconSearch size={18} stroke={1.6} />
              <VisuallyHidden hiddenFrom="sm">{texts.palette.button}</VisuallyHidden>
              <Text span size="sm" c="dimmed" mx={8} visibleFrom="sm">
                {texts.palette.button}
              </Text>
              <Text component="kbd" {...asKey} visibleFrom="sm">
                {paletteKey}
              </Text>
            </Button>
            <AccountMenu onHelp={openHelp} />
          </Group>
        </Group>
      </AppShell.Header>
      {navigation && (
        <AppShell.Navbar p="sm" style={{ overflowY: 'auto' }} aria-label={texts.shell.navigation}>
          {navigation(menu.close)}
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1} className="quiet-focus">
        <Box maw="80rem">{children}</Box>
      </AppShell.Main>
      <KeyboardHelp opened={isHelpOpen} onClose={help.close} />
      {palette}
    </AppShell>
  )
}

const { live } = texts.shell

/** Whether what is shown follows the gateway: seen only where it does not. Nothing on pages that follow nothing. */
function LiveState() {
  const { state, reconnect } = useLive()
  return (
    <div role="status">
      {state === 'live' && <VisuallyHidden>{live.live}</VisuallyHidden>}
      {state === 'connecting' && <Hint>{live.connecting}</Hint>}
      {state === 'lost' && (
        <Tooltip label={live.lostHint}>
          <Button size="xs" variant="light" color="red" onClick={reconnect} title={live.retry} data-lost>
            {live.lost}
          </Button>
        </Tooltip>
      )}
    </div>
  )
}

const rows: readonly KeyRow[] = [
  [[paletteKey], texts.keyboard.palette],
  [['/'], texts.keyboard.search],
  [['j', '↓'], texts.keyboard.down],
  [['k', '↑'], texts.keyboard.up],
  [['Enter'], texts.keyboard.open],
  [['r'], texts.keyboard.answer],
  [['n'], texts.keyboard.nextUnread],
  [['t'], texts.keyboard.take],
  [['e'], texts.keyboard.finish],
  [['u'], texts.keyboard.markUnread],
  [['c'], texts.keyboard.begin],
  [['Esc'], texts.keyboard.escape],
  [['?'], texts.keyboard.help],
]

/** The keys of {@link listenToKeys}, in words. */
function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.keyboard.title}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <KeyRows rows={rows} />
    </Modal>
  )
}
