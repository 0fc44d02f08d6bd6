import { isolating } from '../isolated.ts'
/** Settings of the workspace and of the gateway. */
export const settings = isolating({
  title: 'Settings',
  save: 'Save workspace',
  workspace: 'Workspace',
  name: 'Name',
  id: 'Workspace id',
  created: 'Created',
  limit: 'Messages a month',
  unlimited: 'Unlimited',
  limitHint: 'A calendar month in UTC. Empty: unlimited.',
  ceilingHint: (ceiling: string) =>
    `A calendar month in UTC. The operator of the gateway allows ${ceiling} at most; a lower one you set yourself.`,
  belowCeiling: (limit: string, ceiling: string) => `${limit} (the operator allows ${ceiling})`,
  limitOwner: 'An owner of the workspace changes the monthly limit.',
  defaultLine: 'Default line',
  defaultLineHint:
    'For messages that name no line. With none, they go by the only active line; where several are active, ' +
    'they are refused.',
  noDefaultLine: 'None',
  deleted: 'Messages that people delete',
  deletedHint: 'For everybody, and for API keys too; also what was deleted before.',
  deletedChoices: { keep: 'Stay readable, marked as deleted', hide: 'Lose their content' },
  gateway: 'Gateway',
  gatewayHint: 'The operator sets these for all workspaces, in the environment of the gateway; changes need a restart.',
  setting: 'Setting',
  value: 'Value',
  purpose: 'Purpose',
  source: 'Source',
  environment: 'Environment',
  fallback: 'Default',
  all: (count: number) => `Show all ${count} settings`,
  fewer: 'Only what is set',
  isSandbox: 'This gateway sends to the sandbox: no message reaches a phone.',
  isLive: 'This gateway sends to the messaging platform: messages reach phones, and cost money.',
  sandboxHint: 'For tests, run a second gateway against the sandbox:',
  sandboxCommand: 'commands that start the sandbox and a gateway on it',
} as const)
