/** The search over the whole console, and its commands. */
export const palette = {
  title: 'Search and commands',
  button: 'Search',
  placeholder: 'Search, or type a command',
  results: 'Results',
  pages: 'Pages',
  commands: 'Commands',
  workspaces: 'Workspaces',
  messagesWith: (text: string) => `Search all messages for “${text}”`,
  contactsWith: (text: string) => `Search all contacts for “${text}”`,
  openWorkspace: (name: string) => `Switch to ${name}`,
  dark: 'Switch to dark',
  light: 'Switch to light',
  none: 'Nothing is found.',
  failed: (subjects: string) => `Could not be searched: ${subjects}.`,
  count: (count: number) => (count === 1 ? 'One result' : `${count} results`),
} as const
