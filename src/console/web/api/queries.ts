import { QueryClient } from '@tanstack/react-query'
import { toFailure } from './failure.ts'

/** A page that is opened again within this time shows what it had, without asking. */
const freshMs = 5_000
const retriesMax = 2

/** Repeats what may succeed later, and nothing that was refused. Changes are never repeated by themselves. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (failures, thrown) => failures < retriesMax && toFailure(thrown).isTemporary,
      },
      mutations: { retry: false },
    },
  })
