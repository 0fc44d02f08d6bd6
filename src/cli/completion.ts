import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/**
 * Adds `completion`, which prints a shell's script, and the hidden `complete`, which that script asks at each Tab. Call
 * it last: it looks at the commands that are there.
 */
export function completionCommand(program: Command): void {
  tab(program, { completionCommandName: 'completion' })
  const command = program.commands.find(command => command.name() === 'completion')
  command?.addHelpText('after', '\nExample:\n  waypost completion zsh > ~/.zfunc/_waypost')
}
