# SPDX-License-Identifier: MIT
# tacho occupancy: by hand, from compiled programs, from rcprof's parameters, and its refusals.
data=$SOURCES/tests/data/occupancy

# line FILE REGEX: fails unless a line fits.
line() {
	grep -q -e "$2" "$1" || fail "no line of $1 fits $2"
}

# By hand: 256 / 84 registers in steps of 4 are 3 waves on each of 4 SIMDs.
run 0 tacho occupancy --arch gfx803 --vgpr 84 --sgpr 16 --lds 0 --wg 256
same err
line out '^gfx803: 12 of 40 waves on a CU, 30 %, limited by VGPR$'
line out '^  VGPR  *84  *256  *12  64 or fewer: 16 waves$'
line out '^  SGPR  *16  *102  *40'
run 0 tacho occupancy --arch gfx90a --vgpr 40 --agpr 16 --sgpr 0 --wg 64 --csv
line out '^"",gfx90a,CU,64,56,0,0,64,0,,32,32,100,'
run 0 tacho occupancy --arch gfx1030 --vgpr 65 --wg 64 --unit cu --wave 64
line out '^gfx1030: 14 of 32 waves on a CU, 43.75 %'
run 0 tacho occupancy --arch sm_90a --vgpr 72 --wg 256
line out '^sm_90: 24 of 64 waves on a SM, 37.5 %, limited by registers$'
has_not out SGPR
# Two resources at once.
run 0 tacho occupancy --arch gfx803 --vgpr 84 --sgpr 16 --lds 20000 --wg 256
line out 'limited by VGPR, LDS$'
line out '^  LDS .* 16384 or fewer: 16 waves, together with the others$'

# What is missing or wrong.
run 2 tacho occupancy
has err '--arch is missing'
run 2 tacho occupancy --arch nope
has err 'the limits of "nope" are not known'
run 2 tacho occupancy --arch gfx94x --vgpr 1
has err 'the nearest names are gfx940, gfx941, gfx942; all that are known: tacho occupancy --archs'
run 2 tacho occupancy --arch gfx906
has err '--vgpr is missing'
run 2 tacho occupancy --arch gfx803 --vgpr 1 --wg 64
has err 'add --sgpr N'
run 2 tacho occupancy --arch gfx803 --vgpr 1 --sgpr 1 --wg 0
has err 'no groups of 0 work-items'
run 2 tacho occupancy --arch gfx1 --vgpr 1 --wg 64
has err 'tacho occupancy --archs'
run 2 tacho occupancy --arch gfx906 --vgpr 1 --sgpr 1 --wg 64 --wave 32
has err 'gfx906 has no waves of 32'
run 2 tacho occupancy --arch gfx906 --vgpr 1 --sgpr 1 --wg 64 --unit sm
run 2 tacho occupancy --arch gfx906 --vgpr 5000000000 --wg 64
run 2 tacho occupancy "$data/sm_90.cubin" --json --csv
run 2 tacho occupancy "$data/sm_90.cubin" --params "$data/rcprof.params"
run 0 tacho occupancy --archs --json
line out '"schema": "tacho.limits/1"'
line out '"sm_90"'
run 0 tacho occupancy --archs --csv
[ "$(head -n 1 out)" = arch ] || fail "no header"
run 0 tacho occupancy --archs
line out '^gfx942$'
line out '^sm_90$'

# Files.
run 0 tacho occupancy "$data/two.bundle"
line out '^  vadd  *gfx900  *5  *12  *0  *256?  *40/40  *100%  *-'
line out '^  tile  *gfx900  *3  *6  *4096  *256  *40/40'
line out '^  both  *gfx90a  *44 '
has out 'give it with --wg'
run 0 tacho occupancy "$data/two.bundle" --arch gfx90a --vgpr 130 --wg 128
line out '^both on gfx90a: 12 of 32 waves on a CU, 37.5 %, limited by VGPR$'
line out '128 or fewer: 16 waves'
run 3 tacho occupancy "$data/two.bundle" --arch sm_90
has err 'has no kernel for sm_90'
run 0 tacho occupancy "$data/sm_90.cubin" --wg 1024 --json
line out '"schema": "tacho.occupancy/1"'
line out '"kernel": "tile"'
line out '"occupancy_percent": 100$\|"occupancy_percent": 100,$'
line out '"scalar_registers": null'
run 0 tacho occupancy "$data/gfx803-v4.o" --plot
line out '^Waves over VGPR:$'
line out '^  *0-24  *40  ##*.* <- 5$'
line out '^  *129-256  *4  ###$'
run 0 tacho occupancy "$data/gfx803-v4.o" --plot --json
line out '"first": 129,'
run 1 tacho occupancy "$data/tile.cu"
has err ': this is no compiled GPU program'
run 1 tacho occupancy "$data/ptx.fatbin"
has err 'PTX'
run 1 tacho occupancy missing

# rcprof's file: its own numbers come out.
run 0 tacho occupancy --params "$data/rcprof.params"
same err
line out '^foo on gfx600: 32 of 40 waves on a CU, 80 %, limited by LDS$'
sed 's/^Occupancy=.*/Occupancy=75/' "$data/rcprof.params" >other
run 0 tacho occupancy --params other
has err 'the file says that occupancy is 75 %'
grep -v UsedVGPRs "$data/rcprof.params" >other
run 1 tacho occupancy --params other
has err 'does not state UsedVGPRs'
echo 'UsedVGPRs=many' >>other
run 1 tacho occupancy --params other
has err 'UsedVGPRs is "many"'
run 1 tacho occupancy --params missing

# Against the compiler's own words, where one for these chips is installed.
if clang --print-targets 2>/dev/null | grep -q amdgcn && command -v llvm-readelf >/dev/null; then
	compared=0
	for arch in gfx600 gfx704 gfx803 gfx906 gfx90a gfx1010 gfx1030; do
		clang -target amdgcn-amd-amdhsa -mcpu=$arch -x cl -cl-std=CL2.0 -nogpulib -O2 \
			-o kernels.o "$data/kernels.cl" 2>/dev/null || continue
		llvm-readelf --notes kernels.o | awk '
			$1 == ".group_segment_fixed_size:" { local = $2 }
			/^    \.name:/ { name = $2 }
			$1 == ".sgpr_count:" { scalar = $2 }
			$1 == ".vgpr_count:" { print name, $2, scalar, local }' >stated
		run 0 tacho occupancy kernels.o --csv
		tail -n +2 out | tr -d '"\r' | awk -F, '{ print $1, $5, $6, $7 }' >read
		[ -s stated ] || fail "llvm-readelf says nothing of $arch"
		cmp -s stated read || fail "$arch: $(cat stated) is read as $(cat read)"
		compared=$((compared + 1))
	done
	echo "compared with clang's metadata for $compared chips"
fi
