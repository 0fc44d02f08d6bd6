import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../texts/texts.ts'

const lengthMin = 12

/** A password that is typed twice. */
export interface PasswordDraft {
  readonly password: string
  /** What is wrong with it; null: nothing. */
  readonly problem: string | null
  readonly first: string
  readonly second: string
  readonly setFirst: (text: string) => void
  readonly setSecond: (text: string) => void
}

export function usePasswordDraft(): PasswordDraft {
  const [first, setFirst] = useState('')
  const [second, setSecond] = useState('')
  const { passwordShort, passwordsDiffer } = texts.entry
  const problem = first.length < lengthMin ? passwordShort : first === second ? null : passwordsDiffer
  return { password: first, problem, first, second, setFirst, setSecond }
}

/** @param isChecked whether the problem is shown: not while somebody still types */
export function NewPassword({ draft, isChecked }: { draft: PasswordDraft; isChecked: boolean }) {
  const { first, second, setFirst, setSecond, problem } = draft
  const { newPassword, newPasswordHint, repeatPassword, passwordShort } = texts.entry
  return (
    <>
      <PasswordInput
        label={newPassword}
        description={newPasswordHint}
        autoComplete="new-password"
        required
        value={first}
        onChange={event => setFirst(event.currentTarget.value)}
        error={isChecked && problem === passwordShort ? problem : null}
      />
      <PasswordInput
        label={repeatPassword}
        autoComplete="new-password"
        required
        value={second}
        onChange={event => setSecond(event.currentTarget.value)}
        error={isChecked && problem !== passwordShort ? problem : null}
      />
    </>
  )
}
