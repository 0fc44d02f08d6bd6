import { Command, CommanderError } from 'commander'
import color from 'picocolors'
import { busyText, isBusy } from '../../db/database.ts'
import { messageOf } from '../base/errors.ts'
import { jsonText } from '../base/terminal.ts'
import { ConfigError, type Environment } from '../config/config.ts'
import { addEnvironmentOptions, surroundingsOf } from './environment.ts'
import { CommandError, exitCodes, type FailureCode, UsageError } from './failure.ts'
import { createWorkbench, type Workbench } from './session.ts'
import { errorOutput, type Output, output } from './streams.ts'
import { version, versionCommand } from './version.ts'

/**
 * Adds each command, or noun with its commands, in the order of the help. Loaded on demand: a gateway keeps in memory,
 * for months, whatever `serve` has loaded.
 */
const commands = new Map<string, () => Promise<(program: Command, workbench: Workbench) => void>>([
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['demo', async () => (await import('./demo.ts')).demoCommand],
  ['sandbox', async () => (await import('./sandbox.ts')).sandboxCommand],
  ['workspace', async () => (await import('./workspace.ts')).workspaceCommands],
  ['channel', async () => (await import('./channel.ts')).channelCommands],
  ['secrets', async () => (await import('./secrets.ts')).secretsCommands],
  ['line', async () => (await import('./line.ts')).lineCommands],
  ['key', async () => (await import('./key.ts')).keyCommands],
  ['user', async () => (await import('./user.ts')).userCommands],
  ['batch', async () => (await import('./batch.ts')).batchCommands],
  ['webhook', async () => (await import('./webhook.ts')).webhookCommands],
  ['template', async () => (await import('./template.ts')).templateCommands],
  ['contact', async () => (await import('./contact.ts')).contactCommands],
  ['message', async () => (await import('./message.ts')).messageCommands],
  ['listen', async () => (await import('./listen.ts')).listenCommand],
  ['usage', async () => (await import('./usage.ts')).usageCommand],
  ['costs', async () => (await import('./costs.ts')).costsCommand],
  ['audit', async () => (await import('./audit.ts')).auditCommands],
  ['backup', async () => (await import('./backup.ts')).backupCommands],
  ['backups', async () => (await import('./backup.ts')).backupsCommand],
  ['database', async () => (await import('./database.ts')).databaseCommands],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
  ['alerts', async () => (await import('./alerts.ts')).alertsCommand],
  ['health', async () => (await import('./health.ts')).healthCommand],
  ['version', async () => versionCommand],
])

/**
 * None of the commands ends the process: they throw, see runProgram.
 * @param argv a command line. Where it names a command, the program has this one alone, else all
 */
export async function buildProgram(environment: Environment, argv: readonly string[] = []): Promise<Command> {
  const program = addEnvironmentOptions(new Command('waypost'))
    .description('A self-hosted messaging gateway in one executable. Try it without any account: waypost demo')
    .version(version)
    // Commander takes the program's own options before and after a command's name.
    .option('--json', 'answer with one JSON document on standard output')
    // Options are shown in the help of each command.
    .configureHelp({ showGlobalOptions: true, subcommandTerm: command => `${command.name()} ${command.usage()}` })
    .configureOutput({
      writeOut: text => say(output, text),
      writeErr: text => say(errorOutput, isForJournal(argv, environment) ? withPriority(text) : text),
      outputError: (text, write) => write(errorLine(sentence(text))),
    })
    .showHelpAfterError(color.dim('Add --help to see the options of the command.'))
    .exitOverride()

  const workbench = createWorkbench(surroundingsOf(program, environment))
  // Options of the program may stand before the name.
  const [name = ''] = program.parseOptions([...argv]).operands
  const named = commands.get(name)
  const loads = named ? [named] : [...commands.values()]
  for (const add of await Promise.all(loads.map(load => load()))) add(program, workbench)
  // Last, and with all of them: it reads the commands defined so far.
  if (!named) (await import('./completion.ts')).completionCommand(program, environment)
  return program
}

/**
 * Runs one command line.
 * @param argv without the program's own name
 * @returns the exit code once everything is written. A failure is one sentence on stderr, without a stack
 */
export async function runProgram(argv: readonly string[], environment: Environment): Promise<number> {
  const code = await run(argv, environment)
  // Commander does not wait until its help and version are written.
  await Promise.all([output.finished(), errorOutput.finished()])
  return code
}

async function run(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    const program = await buildProgram(environment, argv)
    await program.parseAsync(withHelpLast(program, argv), { from: 'user' })
    return Number(process.exitCode ?? exitCodes.done)
  } catch (error) {
    // Commander has already printed it. Its help and version end with 0.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
    const isWrongUse = error instanceof CommanderError || error instanceof UsageError
    const isHelp = error instanceof CommanderError && error.code === 'commander.help'
    const words = isBusy(error) ? busyText : messageOf(error)
    const message = isHelp ? 'Name a command: --help lists them' : sentence(words)
    if (!(error instanceof CommanderError)) {
      say(errorOutput, isForJournal(argv, environment) ? withPriority(errorLine(message)) : errorLine(message))
    }
    // A script reads one document on standard output, also after a failure.
    if (argv.includes('--json')) {
      const plain = Bun.stripANSI(message)
      say(output, `${jsonText({ error: isWrongUse ? 'WRONG_USE' : codeOf(error), message: plain })}\n`)
    }
    return isWrongUse ? exitCodes.wrongUse : exitCodes.failed
  }
}

/**
 * `help message show` is `message show --help`: commander's own `help` knows one word. A word that names no command
 * ends the line, and is refused as it would be without `help`.
 */
function withHelpLast(program: Command, argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv
  const words = rest.filter(word => !word.startsWith('-'))
  if (first !== 'help' || words.length === 0) return argv
  let named = program
  for (const [at, word] of words.entries()) {
    if (named.commands.length === 0) break
    const next = named.commands.find(command => command.name() === word)
    if (!next) return words.slice(0, at + 1)
    named = next
  }
  return [...rest, '--help']
}

function codeOf(error: unknown): FailureCode {
  if (error instanceof CommandError) return error.code
  return error instanceof ConfigError ? 'WRONG_SETTINGS' : 'FAILED'
}

/** For output that nothing waits for. If it cannot be written, there is no other place to report it. */
function say(to: Output, text: string): void {
  to.write(text).catch(() => {})
}

/** Without commander's prefix, and with a capital: but for a name or an address, which is told as it is. */
function sentence(text: string): string {
  const words = text.replace(/^error: /, '').trimEnd()
  return /^[a-z]+[\s,]/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words
}

/** Whether the journal reads what this command line says of its failure: why a service did not start, or ended. */
const isForJournal = (argv: readonly string[], { LOG_FORMAT: format }: Environment) =>
  argv.includes('serve') && format === 'journald'

/**
 * The journal takes each line for itself, and the priority off its beginning (sd-daemon(3)): `journalctl -p warning`
 * shows none without one.
 */
const withPriority = (text: string) => text.replace(/^(?=.)/gm, '<3>')

const errorLine = (text: string) => `${color.red(text)}\n`
