import { bunRange } from './cli/version.ts'

// Earlier versions of Bun crash when a worker thread ends. The executable brings its own.
if (!Bun.isStandaloneExecutable && !Bun.semver.satisfies(Bun.version, bunRange)) {
  process.stderr.write(`Waypost needs Bun ${bunRange}; this is ${Bun.version}. Run: bun upgrade\n`)
  process.exit(1)
}

// Every file of ours holds phone numbers or keys: its owner alone may read it.
process.umask(0o077)

// Only now: on an older Bun, loading the rest may already fail with something less clear.
const { runProgram } = await import('./cli/program.ts')
process.exit(await runProgram(process.argv.slice(2), process.env))
