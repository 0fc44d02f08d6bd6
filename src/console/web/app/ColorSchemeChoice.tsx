import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { texts } from '../texts/texts.ts'

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const

/** Light, dark, or as the system has it; items of a menu. Kept in the browser. */
export function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>{texts.shell.colorScheme}</Menu.Label>
      {schemes.map(([scheme, SchemeIcon]) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={colorScheme === scheme}
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
