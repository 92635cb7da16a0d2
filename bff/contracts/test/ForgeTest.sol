// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev The cheatcodes of forge that these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 key) external pure returns (address);
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata message) external pure;
    function assertEq(address left, address right, string calldata message) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata message) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assume(bool condition) external pure;
    function chainId(uint256 newChainId) external;
    function deal(address account, uint256 balance) external;
    function envBytes(string calldata name) external view returns (bytes memory);
    function etch(address account, bytes calldata code) external;
    function expectRevert(bytes calldata revertData) external;
    function expectRevert() external;
    function getRecordedLogs() external returns (Log[] memory);
    function prank(address sender) external;
    function recordLogs() external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function warp(uint256 timestampSeconds) external;
}

/// @dev What the tests of all contracts share.
abstract contract ForgeTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    uint256 internal constant BPS = 10_000;

    /// @dev The bytes that are shipped, from forge.mjs.
    function deploy(string memory name) internal returns (address deployed) {
        bytes memory code = vm.envBytes(name);
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        vm.assertTrue(deployed != address(0), "the contract is deployed");
    }

    /// @dev The forge habit: a fuzzed number brought between two ends.
    function bound(uint256 value, uint256 min, uint256 max) internal pure returns (uint256) {
        return min + value % (max - min + 1);
    }
}
