/** The help on the keyboard. */
export const keyboard = {
  title: 'Keyboard shortcuts',
  palette: 'Search everything, or run a command',
  search: 'Go to the search of the page',
  down: 'Next row of a list',
  up: 'Previous row of a list',
  open: 'Open the row',
  escape: 'Leave the search, close a dialog',
  help: 'Show this help',
} as const
