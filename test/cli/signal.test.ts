import { describe, expect, test } from 'bun:test'
import { eventually } from '../eventually.ts'

/** Says when it listens and when it is to stop, and repeats what it is told; its input's end is the end of its work. */
const program = `
  const { stopSignal } = await import(${JSON.stringify(`${import.meta.dir}/../../src/cli/signal.ts`)})
  stopSignal().then(signal => console.log('stopping', signal))
  console.log('listening')
  for await (const line of console) console.log(line)`

function start(...wrapper: readonly string[]) {
  const child = Bun.spawn([...wrapper, process.execPath, '-e', program], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let said = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) said += decoder.decode(chunk, { stream: true })
  })()
  const hear = (...lines: readonly string[]) => eventually(() => expect(said.trim().split('\n')).toEqual([...lines]))
  const tell = (line: string) => {
    child.stdin.write(`${line}\n`)
    child.stdin.flush()
  }
  return { child, hear, tell }
}

describe.skipIf(process.platform !== 'linux')('a terminal that closes', () => {
  test('stops what runs in it in order, however often it says so', async () => {
    const { child, hear, tell } = start()
    await hear('listening')
    child.kill('SIGHUP')
    await hear('listening', 'stopping SIGHUP')
    child.kill('SIGHUP')
    tell('still at work')
    await hear('listening', 'stopping SIGHUP', 'still at work')
    child.stdin.end()
    expect(await child.exited).toBe(0)
  })

  test('does not stop what was started to outlive it', async () => {
    const { child, hear, tell } = start('nohup')
    await hear('listening')
    child.kill('SIGHUP')
    tell('still at work')
    await hear('listening', 'still at work')
    child.kill('SIGTERM')
    await hear('listening', 'still at work', 'stopping SIGTERM')
    child.kill('SIGTERM')
    expect(await child.exited).not.toBe(0)
  })
})
