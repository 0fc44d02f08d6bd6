import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StageAct } from './acts.ts'
import type { Ended, Stage } from './stage.ts'

/** A command that is hit from its start, while a gateway runs or not. */
interface Command {
  readonly name: string
  readonly args: readonly string[]
  readonly isAlone: boolean
  /** What has to be there first. */
  before?(stage: Stage): Promise<void>
  /** @returns what is wrong once it has ended, before a gateway is started */
  after?(stage: Stage, ended: Ended): Promise<string[]>
}

const sends = 3

const commands: readonly Command[] = [
  {
    name: '`backup`',
    args: ['backup', '--to', 'copy'],
    isAlone: false,
    before: async stage => removeCopies(stage),
    after: checkCopy,
  },
  {
    name: '`restore`',
    args: ['restore', '--from', 'copy', '--force'],
    isAlone: true,
    async before(stage) {
      removeCopies(stage)
      await must(stage, ['backup', '--to', 'copy'])
      later = `Later ${crypto.randomUUID()}`
      await must(stage, ['workspace', 'create', '--name', later])
    },
    after: checkRestored,
  },
  { name: '`secrets rotate`', args: ['secrets', 'rotate'], isAlone: true },
]

export const programActs: readonly StageAct[] = commands.map(({ name, args, isAlone, before, after }) => ({
  name,
  counted: ['program', 'its files', 'its folder'],
  prepare: async stage => {
    const orders = Array.from({ length: sends }, () => stage.order('open'))
    await stage.repeat(...orders)
    if (isAlone) await stage.stop()
    await before?.(stage)
    let ended: Ended | null = null
    return {
      async perform(wrapper) {
        ended = await stage.run(args, wrapper)
      },
      async finish() {
        if (ended === null) return ['nothing was run']
        const wrong = [...sentenced(ended), ...((await after?.(stage, ended)) ?? [])]
        await stage.restart()
        // With the key that opens the access token, whichever it is.
        await stage.repeat(...orders, stage.order('open'))
        return wrong
      },
    }
  },
}))

/** Killed, or done, or it says in a sentence what has kept it from that. */
export function sentenced({ code, says }: Ended): string[] {
  if (code === 137) return []
  if (code === 0 ? says === '' : says !== '' && !says.includes('    at ')) return []
  return [`a command ended with ${code} and said: ${says}`]
}

async function must(stage: Stage, args: readonly string[]): Promise<void> {
  const { code, says } = await stage.run(args)
  if (code !== 0) throw new Error(`waypost ${args.join(' ')} ended with ${code}: ${says}`)
}

const copiesOf = ({ dataDir }: Stage) => readdirSync(dataDir).filter(name => /^copy|^elsewhere|\.replaced-/.test(name))

function removeCopies(stage: Stage): void {
  for (const name of copiesOf(stage)) rmSync(join(stage.dataDir, name), { recursive: true })
}

/** A copy that was answered for is whole. Of what a kill has left, a restore makes a whole database, or none. */
async function checkCopy(stage: Stage, { code }: Ended): Promise<string[]> {
  const isThere = existsSync(join(stage.dataDir, 'copy'))
  if (code === 0 && !isThere) return ['a backup was answered for and is not there']
  if (code !== 0 && code !== 137 && copiesOf(stage).length > 0) return ['a backup that failed has left a file']
  if (!isThere) return []
  const elsewhere = join(stage.dataDir, 'elsewhere')
  const env = { DATA_DIR: elsewhere, SECRET_KEY_FILE: join(stage.dataDir, 'secret.key') }
  const restored = await stage.run(['restore', '--from', 'copy'], [], env)
  const wrong = sentenced(restored)
  if (restored.code !== 0)
    return code === 0 ? [...wrong, `a backup was answered for and is refused: ${restored.says}`] : wrong
  const count = (path: string) => countOf(path, 'SELECT count(*) FROM messages')
  const [copied, there] = [count(join(elsewhere, 'waypost.db')), count(stage.databasePath)]
  return copied === there ? wrong : [...wrong, `a backup has ${copied} of ${there} messages and is restored`]
}

/** The name of a workspace that the last backup does not have. */
let later = ''

/** The database is the former one or that of the backup, as the command says; and the former is never gone. */
async function checkRestored(stage: Stage, { code }: Ended): Promise<string[]> {
  const hasLater = (path: string) => countOf(path, `SELECT count(*) FROM workspaces WHERE name = '${later}'`) > 0
  if (!existsSync(stage.databasePath)) return ['there is no database any more']
  const isFormer = hasLater(stage.databasePath)
  if (code === 0 && isFormer) return ['a restore was answered for and has not happened']
  if (code !== 0 && code !== 137 && !isFormer) return ['a restore has failed and has happened']
  const aside = readdirSync(stage.dataDir).find(name => /\.replaced-[\dTZ]+$/.test(name))
  if (!isFormer && (aside === undefined || !hasLater(join(stage.dataDir, aside))))
    return ['the former database is gone']
  return []
}

function countOf(path: string, sql: string): number {
  const client = new Database(path, { readwrite: true })
  try {
    return Number(client.query(sql).values()[0]?.[0])
  } finally {
    client.close()
  }
}
