/** A project of an external tracker, as the choice of one is shown. */
export interface TrackerProject {
  /** Null where the tracker does not tell. */
  readonly id: string | null;
  readonly name: string;
  readonly slug: string;
  readonly status: string | null;
  readonly organizationId: string | null;
  readonly organizationName: string;
  readonly organizationSlug: string;
}
