/**
 * The words that a function's name may begin with, in alphabetical order: general English verbs, and the prefixes of predicates (`is`,
 * `has`, `can`, `may`, `does`, `are`), conversions (`to`), changed copies (`with`) and handlers (`on`). Add a verb where one is missing, and
 * no noun that is seldom a verb.
 */
export const verbs: ReadonlySet<string> = new Set(
  `
  accept add admit advance agree allow alter analyze anchor announce answer append apply approve approximate are arrange ask assemble
  assess assign attach attack attempt attest audit authenticate average await back batch begin bind blank borrow bound break build bundle
  buy cache calibrate call can cancel carry catch centre change charge check choose cite claim classify clean clear climb clone close
  coalesce collect combine commit compare compile complete compress compute conclude configure confirm connect consume continue convert copy correct count
  create cut decide declare decline decode decompress decrypt define delete deliver deploy dereference derive describe detach disable discard
  disclose discount dispatch displace distribute disturb do does download drain draw drop emit enable encode encrypt end ensure enter
  erase escape estimate evaluate examine exchange execute expand expect expire explain export extend extract fail fetch fill filter find finish fit
  flatten flush follow force forge forget format forward free fuzz gather generate get give go grant group grow guard guess handle has hash hide identify
  ignore import improve increment index insert inspect install instantiate interrupt invert invite is issue join judge keep kill label
  launch leave lift limit link list listen load locate lock log lose make map mark mask match maximise may measure meet merge migrate
  misuse move multiply name nest normalise note notice notify observe occupy offer omit on open pack parse pass patch pause pay perform perturb pick
  place plan plant play post prepare press print proceed produce promote propose prove provide publish put quantise query queue rank reach read rebuild recall receive
  recompute reconcile record recover recreate redact refine refresh refund refuse register rehash reject release reload remeasure remember remove
  rename render renew renumber reopen repair repeat replace replay reply report request require rescore resend reserve reset resolve
  respond restart restore resume retry return reverse revoke roll rotate round run sample save say scale scan schedule score seal search select send
  serialise serve set settle sever share shift shorten show shrink shuffle sign signal simplify simulate skip solve sort spawn speed spend
  splice split spread standardise start stop store stream strip submit subscribe substitute subtract sum summarise supervise suspend
  switch sync tag take tamper terminate test throw to toggle touch trace track trade transform translate trigger trim truncate trust try uncompress
  unescape unlink unload unpack unreference unseal unzip update upload upsert use validate vanish verify visit wait wake walk warn watch
  weigh with withdraw work wrap write yield zip
`
    .trim()
    .split(/\s+/),
);
