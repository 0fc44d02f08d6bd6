import { type Browser, chromium } from 'playwright-core'
import { hungAfterMs } from '../../timeLimit.ts'

/** Debian's package, and the names that others give it. Null: it is not on this machine. */
export const chromiumPath: string | null = Bun.which('chromium') ?? Bun.which('chromium-browser')

/** Nothing of the browser's own leaves the machine, and no name but this machine's is looked up. */
const options = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps; who uses it asks for the permission as ever.
  '--use-fake-device-for-media-stream',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** Starts the browser with an empty profile, which is removed when it is closed. */
export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('Chromium is not on this machine: apt-get install chromium')
  return chromium.launch({ executablePath: chromiumPath, args: options, timeout: hungAfterMs })
}
