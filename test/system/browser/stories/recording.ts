import { expect } from 'bun:test'
import { eventually } from '../../../eventually.ts'
import { accessibilityFindings } from '../axe.ts'
import { Backstage, ownerEmail } from '../backstage.ts'
import { signIn } from '../people.ts'
import { story } from '../stage.ts'
import { smallTargets } from '../targets.ts'
import { phone } from '../visitor.ts'
import { says } from './conversations.ts'

export function recordingStories(): void {
  story('a member records a voice message, hears it and sends it; the platform gets mono Opus in Ogg', async stage => {
    const { sandbox } = stage.deployment
    const backstage = await Backstage.signUp(stage.deployment)
    await backstage.connectSandbox()
    await says(stage.deployment, { text: 'Tell me how it works.' })
    const visitor = await stage.visitor(phone)
    const { page, context } = visitor
    await page.goto(`/console/w/${backstage.workspaceId}/conversations`)
    await signIn(visitor, ownerEmail)
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    const composer = page.getByRole('region', { name: 'Write to Ada Lovelace' })
    const record = composer.getByRole('button', { name: 'Record a voice message' })
    // Nobody has allowed the microphone.
    await record.click()
    await composer.getByText('No microphone can be used.').waitFor()
    await composer.getByRole('button', { name: 'Discard the recording' }).click()

    await context.grantPermissions(['microphone'])
    await record.click()
    await composer.getByRole('timer').getByText('0:01 / 4:00').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await smallTargets(page)).toEqual([])
    await composer.getByRole('button', { name: 'Discard the recording' }).click()
    expect(await composer.getByRole('timer').count()).toBe(0)

    await record.click()
    await composer.getByRole('timer').getByText('0:01 / 4:00').waitFor()
    await composer.getByRole('button', { name: 'Stop' }).click()
    expect(await composer.getByLabel('Send as a voice message').isChecked()).toBeTrue()
    const player = composer.locator('audio')
    await eventually(async () => {
      const seconds = Number(await player.evaluate(audio => Reflect.get(audio, 'duration')))
      expect(seconds).toBeGreaterThan(0.9)
      expect(seconds).toBeLessThan(30)
    })
    expect(await player.evaluate(audio => Reflect.get(audio, 'error'))).toBeNull()
    await player.evaluate(audio => (audio as { play?: () => Promise<void> }).play?.())
    await page.keyboard.press('Enter')
    const log = page.getByRole('log')
    await log.getByRole('link', { name: 'Read: open the message' }).waitFor()
    const { messages } = await backstage.call<{ messages: { id: string }[] }>('/messages')
    expect(messages).toHaveLength(1)
    const journal = await fetch(`${sandbox.url}/sandbox/requests`)
    const { requests } = (await journal.json()) as { requests: { body: { audio?: { id: string } } }[] }
    const sent = requests.flatMap(({ body }) => body.audio ?? [])
    expect(sent).toMatchObject([{ voice: true }])
    const file = await (await fetch(`${sandbox.url}/sandbox/media/${sent[0]?.id}`)).bytes()
    // The head of Opus behind that of its page, and its number of channels.
    expect(Buffer.from(file).subarray(28, 38).toString('latin1')).toBe('OpusHead\x01\x01')
  })
}
