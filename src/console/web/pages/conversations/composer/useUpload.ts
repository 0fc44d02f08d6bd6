import { useEffect, useRef, useState } from 'react'
import { mediaBytesMax } from '../../../../../base/upstreamLimits.ts'
import { sendableType } from '../../../../../media/outgoing/types.ts'
import { toFailure } from '../../../api/failure.ts'
import { uploadFile } from '../../../api/files.ts'
import { randomWord } from '../../../api/request.ts'
import { useWorkspace } from '../../../app/session.tsx'
import { byteSize } from '../../../components/numbers.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import type { ChosenFile } from './composition.ts'

/** A file that the gateway does not have yet. */
export interface Uploading {
  readonly key: string
  readonly file: File
  readonly type: ChosenFile['type']
  readonly isVoice: boolean
  /** Null: it is on its way, or waits for those before it. */
  readonly problem: Problem | null
}

interface Problem {
  readonly why: string
  /** The same file may be taken yet. */
  readonly isTemporary: boolean
}

/** @returns the type of message that shows it, or why none does */
function check({ type: mimeType, size }: File): { type: ChosenFile['type'] } | { problem: string } {
  const type = sendableType(mimeType)
  if (!type) return { problem: words.notSendable }
  const max = mediaBytesMax[type]
  return size > max ? { problem: words.tooLarge(words.kinds[type], byteSize(size), byteSize(max)) } : { type }
}

/**
 * Gives files to the gateway when they are chosen, one after the other, so that a draft keeps them; what cannot be sent
 * is told before.
 */
export function useUpload(onKept: (file: ChosenFile) => void) {
  const { id: workspaceId } = useWorkspace()
  const [uploading, setUploading] = useState<readonly Uploading[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const running = useRef(new Map<string, AbortController>())
  const last = useRef(Promise.resolve())
  useEffect(() => {
    const { current } = running
    return () => {
      for (const own of current.values()) own.abort()
    }
  }, [])
  const drop = (key: string) => {
    running.current.get(key)?.abort()
    setUploading(before => before.filter(one => one.key !== key))
  }
  const setProblemOf = (key: string, problem: Problem | null) =>
    setUploading(before => before.map(one => (one.key === key ? { ...one, problem } : one)))

  async function upload({ key, file, isVoice }: Uploading, { signal }: AbortController) {
    if (signal.aborted) return
    try {
      const kept = await uploadFile(workspaceId, file, signal)
      if (signal.aborted) return
      drop(key)
      onKept({ ...kept, isVoice })
    } catch (thrown) {
      if (signal.aborted) return
      const { isTemporary, issues, message, status } = toFailure(thrown)
      setProblemOf(key, { why: issues[0]?.message ?? message, isTemporary: isTemporary || status === 401 })
    }
  }

  function begin(one: Uploading) {
    const own = new AbortController()
    running.current.set(one.key, own)
    last.current = last.current.then(() => upload(one, own))
  }

  return {
    uploading,
    /** Why a file was not taken. */
    problem,
    start(files: readonly File[], isVoice = false) {
      setProblem(null)
      for (const file of files) {
        const checked = check(file)
        if ('problem' in checked) {
          setProblem(checked.problem)
          continue
        }
        const one = { key: randomWord(), file, type: checked.type, isVoice, problem: null }
        setUploading(before => [...before, one])
        begin(one)
      }
    },
    again(one: Uploading) {
      setProblemOf(one.key, null)
      begin(one)
    },
    drop,
    forgive: () => setProblem(null),
  }
}
