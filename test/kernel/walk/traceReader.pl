#!/usr/bin/perl
# Reads the kernel's own trace in the namespace that it runs in: that of nf_tables, and TRACE of iptables-legacy.
#
# It prints `ready`, then waits: for each line that it reads it prints one line a step of the trace since the last time,
# and `end`. A step, words parted by blanks, `-` for none:
#   nft ID FAMILY TABLE CHAIN rule|return|policy HANDLE VERDICT TARGET HEADER
#   log 0 FAMILY TABLE CHAIN rule|return|policy NUMBER - - HEADER
# HEADER, only where a base chain begins: PROTOCOL SOURCE SOURCEPORT DESTINATION DESTINATIONPORT FLAGS SEQUENCE ACK LENGTH,
# of ICMP the type in the place of the flags.
use strict;
use warnings;
use Errno qw(EAGAIN ENOBUFS EINTR);
use Fcntl qw(F_SETFL O_NONBLOCK);
use Socket qw(:DEFAULT inet_ntop);

use constant { AF_NETLINK => 16, NETLINK_NETFILTER => 12, SO_RCVBUFFORCE => 33, NFNLGRP_NFTRACE => 9 };

my @verdicts = ('drop', 'accept', 'stolen', 'queue', 'repeat', 'stop');
my %special = (-1 => 'continue', -2 => 'break', -3 => 'jump', -4 => 'goto', -5 => 'return');
my @types = ('-', 'policy', 'return', 'rule');
my %families = (0 => 'none', 1 => 'inet', 2 => 'ip', 7 => 'bridge', 10 => 'ip6');

sub netlink {
  my ($groups) = @_;
  socket(my $socket, AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER) or die "netlink: $!\n";
  setsockopt($socket, SOL_SOCKET, SO_RCVBUFFORCE, 32 << 20);
  bind($socket, pack 'S x2 L L', AF_NETLINK, 0, $groups) or die "bind: $!\n";
  fcntl($socket, F_SETFL, O_NONBLOCK);
  return $socket;
}

# nfnetlink_log becomes the logger of both families, and hands over whole packets at once.
sub log_socket {
  my $socket = netlink(0);
  my $configure = sub {
    my ($family, $group, @attributes) = @_;
    my $body = join '', map { my ($type, $value) = @$_; pack('S S', 4 + length $value, $type) . $value . "\0" x (-length($value) % 4) } @attributes;
    my $message = pack('L S S L L C C n', 20 + length $body, (4 << 8) | 1, 1, 0, 0, $family, 0, $group) . $body;
    send($socket, $message, 0) or die "configure the log: $!\n";
  };
  for my $family (2, 10) { $configure->($family, 0, [1, pack 'C', 3]) }
  $configure->(0, 0, [1, pack 'C', 1]);
  $configure->(0, 0, [2, pack 'N C C', 128, 2, 0]);
  return $socket;
}

sub attributes {
  my ($data) = @_;
  my %found;
  while (length $data >= 4) {
    my ($length, $type) = unpack 'S S', $data;
    last if $length < 4 || $length > length $data;
    $found{ $type & 0x3fff } = substr $data, 4, $length - 4;
    my $next = ($length + 3) & ~3;
    $data = $next < length $data ? substr $data, $next : '';
  }
  return \%found;
}

sub text { my ($value) = @_; return defined $value ? $value =~ s/\0.*//sr : '-' }

sub header {
  my ($ip, $transport) = @_;
  return '-' if !defined $ip || !length $ip;
  my $version = ord($ip) >> 4;
  my ($protocol, $length, @ends);
  if ($version == 4) {
    ($length, $protocol) = unpack 'x2 n x5 C', $ip;
    @ends = map { inet_ntop(AF_INET, substr $ip, $_, 4) } 12, 16;
    $transport //= substr $ip, 4 * (ord($ip) & 15);
  } else {
    ($length, $protocol) = unpack 'x4 n C', $ip;
    @ends = map { inet_ntop(AF_INET6, substr $ip, $_, 16) } 8, 24;
    $transport //= substr $ip, 40;
  }
  my ($from, $to, $flags, $sequence, $ack) = ('-', '-', '-', 0, 0);
  if ($protocol == 6 && length $transport >= 14) {
    ($from, $to, $sequence, $ack, $flags) = unpack 'n n N N x C', $transport;
  } elsif (($protocol == 17 || $protocol == 132) && length $transport >= 4) {
    ($from, $to) = unpack 'n n', $transport;
  } elsif (length $transport >= 2) {
    $flags = unpack 'C', $transport;
    # What tells errors from each other: the identification of the packet that they quote.
    $sequence = unpack 'x12 n', $transport if $flags == 3 && length $transport >= 14;
  }
  return join ' ', $protocol, $ends[0], $from, $ends[1], $to, $flags, $sequence, $ack, $length;
}

sub nft_step {
  my ($data) = @_;
  my $of = attributes(substr $data, 4);
  my $type = $types[ unpack 'N', $of->{4} // pack 'N', 0 ];
  my $handle = defined $of->{3} ? (unpack 'N N', $of->{3})[1] : '-';
  my ($verdict, $target) = ('-', '-');
  if (defined $of->{5}) {
    my $inner = attributes($of->{5});
    my $code = unpack 'l>', $inner->{1};
    $verdict = $code < 0 ? $special{$code} : $verdicts[ $code & 255 ];
    $target = text($inner->{2});
  }
  $verdict = $verdicts[ unpack 'N', $of->{16} ] if $type eq 'policy' && defined $of->{16};
  my $id = unpack 'N', $of->{6};
  my $header = header($of->{8}, $of->{9} // '');
  print join(' ', 'nft', $id, $families{ unpack 'C', $data }, text($of->{1}), text($of->{2}), $type, $handle, $verdict, $target, $header), "\n";
}

sub log_step {
  my ($data) = @_;
  my $of = attributes(substr $data, 4);
  my ($table, $chain, $type, $number) = text($of->{10}) =~ /^TRACE: ([^:]+):(.+):(rule|return|policy):(\d+)/ or return;
  print join(' ', 'log', 0, $families{ unpack 'C', $data }, $table, $chain, $type, $number, '-', '-', header($of->{9})), "\n";
}

sub drain {
  my ($socket, $wanted, $step) = @_;
  while (1) {
    my $from = recv($socket, my $buffer, 1 << 20, 0);
    if (!defined $from) { next if $!{EINTR}; print "lost\n" and next if $!{ENOBUFS}; last }
    while (length $buffer >= 16) {
      my ($length, $type) = unpack 'L S', $buffer;
      last if $length < 16 || $length > length $buffer;
      $step->(substr $buffer, 16, $length - 16) if $type == $wanted;
      my $next = ($length + 3) & ~3;
      $buffer = $next < length $buffer ? substr $buffer, $next : '';
    }
  }
  return;
}

my $nft = netlink(1 << (NFNLGRP_NFTRACE - 1));
my $log = log_socket();
$| = 1;
print "ready\n";
$| = 0;
while (<STDIN>) {
  drain($nft, (10 << 8) | 17, \&nft_step);
  drain($log, 4 << 8, \&log_step);
  print "end\n";
  STDOUT->flush;
}
