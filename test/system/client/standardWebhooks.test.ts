import { expect, test } from 'bun:test'
import { newWebhookSecret, webhookHeaders } from '../../../src/base/webhookSignature.ts'
import { needs, program, run } from '../../programs.ts'

const verifying = `
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
body, headers, secrets = json.loads(sys.argv[1])
told = [Webhook(secret).verify(body.encode(), headers) for secret in secrets]
try:
    Webhook(secrets[0]).verify(body + " ", headers)
except WebhookVerificationError as problem:
    told.append(str(problem))
json.dump(told, sys.stdout)
`
const isInstalled = Bun.which('python3') && (await run(['python3', '-c', 'import standardwebhooks'])).code === 0

/** That of JavaScript is a package of this repository: test/base/webhookSignature.test.ts. */
const { isMissing, name } = needs(
  'the Python library of Standard Webhooks takes what the gateway signs, with each of several secrets',
  program('python3'),
  ['standardwebhooks of Python', isInstalled === true],
)
test.skipIf(isMissing)(name, async () => {
  const body = JSON.stringify({ id: 'evt_1', type: 'message.received', data: { text: 'Grüße 👋' } })
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const headers = webhookHeaders(secrets, { id: 'evt_1', seconds: Math.floor(Date.now() / 1_000), body })
  const { code, stdout, stderr } = await run(['python3', '-c', verifying, JSON.stringify([body, headers, secrets])])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual([JSON.parse(body), JSON.parse(body), 'No matching signature found'])
})
