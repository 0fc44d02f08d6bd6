import { Command } from 'commander'
import type { Store } from '../../db/contract/store.ts'
import { withReads } from '../../db/database.ts'
import { systemClock, wait } from '../base/clock.ts'
import { type Environment, loadConfig } from '../config/config.ts'
import { addEnvironmentOptions, surroundingsOf } from './environment.ts'
import type { Listed } from './inputs.ts'

/** A word that a shell may insert at Tab. */
export interface Suggestion {
  readonly value: string
  /** A description that distinguishes it, for people. */
  readonly about: string
}

type Reads = Store['read']

/** Somebody waits at the keyboard. */
const lookUpMsMax = 1_000
/** More fit on no terminal. */
const suggestionsMax = 50
/** Records of at most this many workspaces are offered; with more, ids have to be typed. */
const workspacesMax = 20

/**
 * Looks up what a word can be, in the database that the typed line is about. It only reads.
 * @param words of the line; the last one is completed
 * @returns nothing where the database cannot be read, or not in time
 */
export async function suggest(of: Listed, words: readonly string[], environment: Environment): Promise<Suggestion[]> {
  // As an option's value it may be behind a sign: --key=pk_
  const typed = words.at(-1)?.replace(/^--[^=]*=/, '') ?? ''
  try {
    const surroundings = surroundingsOf(placeIn(words.slice(0, -1)), environment)
    surroundings.checkPlace()
    const found = withReads(loadConfig(surroundings.environment()), read => list(of, read))
    const tooLate = wait(systemClock, lookUpMsMax).then(() => [])
    const suggestions = await Promise.race([found, tooLate])
    const fitting = suggestions.filter(({ value }) => value.startsWith(typed))
    // A template exists once per language, a user once per workspace.
    const unlike = new Map(fitting.flatMap(harmless).map(suggestion => [suggestion.value, suggestion]))
    return [...unlike.values()].slice(0, suggestionsMax)
  } catch {
    return []
  }
}

/** Parses only the options that say where the database is. */
const placeIn = (words: readonly string[]): Command =>
  addEnvironmentOptions(new Command())
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .configureOutput({ writeErr() {} })
    .exitOverride()
    .parse(words, { from: 'user' })

/**
 * Bash expands what it is offered, `$(…)` too, and people choose names: inserted words consist of characters without a
 * meaning in a shell, and other characters are removed from the descriptions.
 */
function harmless({ value, about }: Suggestion): Suggestion[] {
  return /^[\w.@+-]+$/.test(value) ? [{ value, about: about.replace(/[^\p{L}\p{N} .,@+_-]/gu, '').trim() }] : []
}

async function list(of: Listed, read: Reads): Promise<readonly Suggestion[]> {
  if (of === 'workspace') return (await read.workspaces()).map(({ id, name }) => ({ value: id, about: name }))
  if (of === 'channel') {
    return (await read.channels(null)).map(({ id, accountId }) => ({ value: id, about: `account ${accountId}` }))
  }
  if (of === 'user') return (await read.members(null)).map(({ email, role }) => ({ value: email, about: role }))
  const workspaces = (await read.workspaces()).slice(0, workspacesMax)
  const ofEach = async <Item>(find: (workspaceId: string) => Promise<readonly Item[]>) =>
    (await Promise.all(workspaces.map(({ id }) => find(id)))).flat()
  if (of !== 'message') return ofEach(workspaceId => listOf(of, workspaceId, read))
  // The newest of all workspaces together: one workspace's list may be cut off.
  const messages = await ofEach(workspaceId => read.messages({ workspaceId, limit: suggestionsMax }))
  return messages
    .sort((one, other) => other.createdAt - one.createdAt)
    .map(({ id, status, recipient }) => ({ value: id, about: `${status} to ${recipient}` }))
}

async function listOf(
  of: Exclude<Listed, 'workspace' | 'channel' | 'user' | 'message'>,
  workspaceId: string,
  read: Reads,
): Promise<readonly Suggestion[]> {
  switch (of) {
    case 'line':
      return (await read.lines(workspaceId)).map(({ id, number }) => ({ value: id, about: number }))
    case 'key':
      return (await read.keys(workspaceId)).map(({ id, label }) => ({ value: id, about: label ?? '' }))
    case 'contact':
      return (await read.contacts({ workspaceId, limit: suggestionsMax })).map(({ id, phone }) => ({
        value: id,
        about: phone ?? '',
      }))
    case 'batch':
      return (await read.batches({ workspaceId, after: null, limit: suggestionsMax })).map(({ id, name, state }) => ({
        value: id,
        about: `${state} ${name ?? ''}`.trim(),
      }))
    case 'webhook':
      return (await read.webhooks(workspaceId)).map(({ id, description, url }) => ({
        value: id,
        about: description ?? new URL(url).host,
      }))
    case 'template':
      return (await read.templates({ workspaceId, approved: false })).map(({ name, language, status }) => ({
        value: name,
        about: `${language} ${status}`,
      }))
  }
}
