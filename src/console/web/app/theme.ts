import { type CSSVariablesResolver, createTheme } from '@mantine/core'

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
    // Where the colours of the system change, its own would follow slowly.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    // A menu has nothing but items, and the first one has the focus.
    // One that is higher than its room scrolls in it (components.css).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, middlewares: { size: { padding: 8 } } } },
  },
  headings: { sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1rem' } } },
})

/** The library's own grey and red are too pale on white. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-cyan-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-cyan-4)',
  },
})
