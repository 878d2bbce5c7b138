import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { cvfQuadrants } from '#modules/organisations/culture';
import { clearances, constraintsWire, remotePolicies, salaryFields } from '#modules/matching/jobs';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { shortlistLimits, type JobTerms, type Values } from '#modules/matching/engine';
import { closedObject, nullable, uuid } from '#platform/schema.ts';
import type { Secrets } from '#platform/security/secrets.ts';

/** As many jobs as share a pass over the members. */
const question_jobs_max = 64;

/** More than {@link question_jobs_max} jobs with all conditions take. */
export const question_bytes_max = 1_048_576;

const number = Type.Number({ minimum: 0, maximum: 1_000 });

const jobSchema = closedObject({
  trait_priorities: Type.Unsafe<TraitPriorities>(
    closedObject(Object.fromEntries(traitCodes.map((code) => [code, Type.Optional(number)]))),
  ),
  terms: Type.Unsafe<JobTerms>(
    closedObject({
      clearance_required: Type.Enum(clearances),
      remote_policy: Type.Enum(remotePolicies),
      constraints: constraintsWire,
      ...salaryFields,
      values: nullable(
        Type.Unsafe<Values>(
          closedObject(Object.fromEntries(cvfQuadrants.map((quadrant) => [quadrant, number]))),
        ),
      ),
    }),
  ),
});

const questionSchema = closedObject({
  /** New for each question. The answer is encrypted for it, so that no earlier answer can take its place. */
  id: uuid,
  /** What {@link computeIndexVersion} says where the question comes from. */
  version: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** The part that is asked. */
  shard: Type.Integer({ minimum: 1 }),
  shards: Type.Integer({ minimum: 1 }),
  /** The version of the parameters whose vectors are compared; null as long as there is only one. */
  vectors: nullable(Type.String({ maxLength: 200 })),
  /** The limit of each list. */
  limit: Type.Integer({ minimum: 1, maximum: shortlistLimits.matches }),
  jobs: Type.Array(jobSchema, { maxItems: question_jobs_max }),
});

/** What a process that computes jobs asks a part of the index: the lists of these jobs over the members of the part. */
export type PartQuestion = Readonly<Static<typeof questionSchema>>;

/** A job of a question. It names no member and no organisation. */
export type AskedJob = PartQuestion['jobs'][number];

const purpose = 'matching.part-question';

/** Encrypts a question, which also proves that it was asked with the master key. */
export function sealQuestion(secrets: Pick<Secrets, 'encrypt'>, question: PartQuestion): Buffer {
  return secrets.encrypt(purpose, JSON.stringify(question));
}

/** Decrypts a question; undefined if it was not encrypted with this master key, or is not one. */
export function unsealQuestion(secrets: Pick<Secrets, 'decrypt'>, sealed: unknown): PartQuestion | undefined {
  if (!Buffer.isBuffer(sealed)) return undefined;
  try {
    const question: unknown = JSON.parse(secrets.decrypt(purpose, sealed));
    return Value.Check(questionSchema, question) ? question : undefined;
  } catch {
    return undefined;
  }
}
