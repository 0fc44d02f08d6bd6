import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import type { Tone } from '../components/StatusBadge.tsx'

const smallButton = { '--button-fz': '0.8125rem' }

/** Shades with a contrast of 4.5 to 1 to the text on them (WCAG 2.2, 1.4.3). */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  components: {
    // A dialog's header is not that of the page, which a screen reader goes to.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // Two sizes alone: 36 pixels, and 30 with a smaller text (13 pixels) in a row or a line.
    Button: { vars: (_: unknown, { size }: { size?: unknown }) => ({ root: size === 'xs' ? smallButton : {} }) },
    // Where the colours of the system change, its own would follow slowly.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Burger: { defaultProps: { transitionDuration: 0 } },
    // A menu has nothing but items, and the first one has the focus.
    // One that is higher than its room scrolls in it (components.css).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, middlewares: { size: { padding: 8 } } } },
  },
  headings: {
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.5' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1rem' } },
  },
})

/** Of the dots of a state (StatusBadge.tsx). That of a quiet one is seen on both grounds. */
const tones = (of: Readonly<Record<Exclude<Tone, 'quiet'>, string>>) =>
  Object.fromEntries(
    Object.entries({ ...of, quiet: 'gray-6' }).map(([tone, shade]) => [
      `--tone-${tone}`,
      `var(--mantine-color-${shade})`,
    ]),
  )

/** Of boxes and signs on dark, where the library's are louder than what they tell. */
const tints = Object.fromEntries(
  ['red', 'yellow', 'teal', 'blue'].flatMap(color => {
    const name = `--mantine-color-${color}`
    return [
      [`${name}-light`, `color-mix(in srgb, var(${name}-6) 16%, var(--mantine-color-body))`],
      [`${name}-light-color`, `var(${name}-3)`],
    ]
  }),
)

/** The library's own grey and red are too pale on white, its text on dark is paler than what can be pressed. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-cyan-9)',
    ...tones({ good: 'teal-9', bad: 'red-9', warning: 'yellow-9', busy: 'blue-9' }),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-cyan-4)',
    '--mantine-color-bright': 'var(--mantine-color-gray-1)',
    '--mantine-color-default-color': 'var(--mantine-color-gray-3)',
    ...tints,
    ...tones({ good: 'teal-4', bad: 'red-4', warning: 'yellow-4', busy: 'blue-4' }),
  },
})
