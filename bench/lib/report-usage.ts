/** Preloaded into a measured process: reports the resources that all its threads have used, whenever the parent asks. */
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu_us: user + system, rss: process.memoryUsage.rss() });
});
// Listening for requests must not prevent the process from ending.
process.channel?.unref();
